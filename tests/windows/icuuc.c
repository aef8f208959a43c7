/* The functions of Windows' icuuc.dll that Qt6Core imports, for a Wine that lacks it: no converter can be had.
   Qt asks it for text encodings that it does not know itself; the program asks for none.
   Only for tests under Wine; no package of the program holds it. */
#include <stdint.h>

enum { FILE_ACCESS_ERROR = 4 };

#define EXPORT __declspec(dllexport)

EXPORT void *ucnv_open(const char *name, int *error)
{
    *error = FILE_ACCESS_ERROR;
    return 0;
}

EXPORT int32_t ucnv_countAvailable(void) { return 0; }
EXPORT const char *ucnv_getAvailableName(int32_t index) { return 0; }

EXPORT const char *ucnv_getStandardName(const char *name, const char *standard, int *error)
{
    *error = FILE_ACCESS_ERROR;
    return 0;
}

/* These take a converter, which nobody has. */
#define UNREACHABLE(name) EXPORT intptr_t name(void) { __builtin_trap(); }
EXPORT void ucnv_close(void *converter) {}
UNREACHABLE(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
UNREACHABLE(UCNV_TO_U_CALLBACK_SUBSTITUTE)
UNREACHABLE(ucnv_cbFromUWriteUChars)
UNREACHABLE(ucnv_cbToUWriteUChars)
UNREACHABLE(ucnv_fromUCountPending)
UNREACHABLE(ucnv_fromUnicode)
UNREACHABLE(ucnv_getFromUCallBack)
UNREACHABLE(ucnv_getMaxCharSize)
UNREACHABLE(ucnv_getName)
UNREACHABLE(ucnv_getToUCallBack)
UNREACHABLE(ucnv_reset)
UNREACHABLE(ucnv_setFromUCallBack)
UNREACHABLE(ucnv_setToUCallBack)
UNREACHABLE(ucnv_toUCountPending)
UNREACHABLE(ucnv_toUnicode)
