/* The one function of Windows' bcryptprimitives.dll that Rust programs call, for a Wine that lacks it.
   Only for tests under Wine; no package of the program holds it. */
#include <stddef.h>

typedef int BOOL;
typedef unsigned long ULONG;
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, ULONG length);

__declspec(dllexport) BOOL __stdcall ProcessPrng(unsigned char *data, size_t length)
{
    const ULONG most = 0x10000000;
    while (length > 0) {
        ULONG part = length < most ? (ULONG)length : most;
        if (!SystemFunction036(data, part))
            return 0;
        data += part;
        length -= part;
    }
    return 1;
}
