/* Windows.UI.ViewManagement.UISettings as far as Qt asks for it: colours, the factor for texts, animations. For a Wine that lacks it.
   Only for tests under Wine; no package of the program holds it. */
#define COBJMACROS
#include <windows.h>
#include <initguid.h>
#include <activation.h>
#include <inspectable.h>
#include <winstring.h>

DEFINE_GUID(ID_UNKNOWN, 0x00000000, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46);
DEFINE_GUID(ID_INSPECTABLE, 0xaf86e2e0, 0xb12d, 0x4c6a, 0x9c, 0x5a, 0xd7, 0xaa, 0x65, 0x10, 0x1e, 0x90);
DEFINE_GUID(ID_AGILE, 0x94ea2b94, 0xe9cc, 0x49e0, 0xc0, 0xff, 0xee, 0x64, 0xca, 0x8f, 0x5b, 0x90);
DEFINE_GUID(ID_FACTORY, 0x00000035, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46);
DEFINE_GUID(ID_SETTINGS, 0x85361600, 0x1c63, 0x4627, 0xbc, 0xb1, 0x3a, 0x89, 0xe0, 0xbc, 0x9c, 0x55);
DEFINE_GUID(ID_SETTINGS_2, 0xbad82401, 0x2721, 0x44f9, 0xbb, 0x91, 0x2b, 0xb2, 0x28, 0xbe, 0x44, 0x2f);
DEFINE_GUID(ID_SETTINGS_3, 0x03021be4, 0x5254, 0x4781, 0x81, 0x94, 0x51, 0x68, 0xf7, 0xd0, 0x6d, 0x7b);
DEFINE_GUID(ID_SETTINGS_4, 0x52bb3002, 0x919b, 0x4d6b, 0x9b, 0x78, 0x8d, 0xd6, 0x6f, 0xf4, 0xb9, 0x3b);

static const WCHAR CLASS_NAME[] = L"Windows.UI.ViewManagement.UISettings";

typedef struct {
    BYTE a, r, g, b;
} Color;
typedef struct {
    const void *methods;
} Object;
typedef HRESULT (WINAPI *Method)(void);

static const Object FACTORY, SETTINGS, SETTINGS_2, SETTINGS_3, SETTINGS_4;

/* Nothing here is ever made or freed: one object of each kind serves everybody. */
static ULONG WINAPI count(void *self)
{
    return 2;
}

static HRESULT give(const Object *object, void **out)
{
    *out = (void *)object;
    return object ? S_OK : E_NOINTERFACE;
}

static HRESULT WINAPI query_factory(void *self, REFIID wanted, void **out)
{
    BOOL known = IsEqualGUID(wanted, &ID_UNKNOWN) || IsEqualGUID(wanted, &ID_INSPECTABLE) || IsEqualGUID(wanted, &ID_AGILE)
                 || IsEqualGUID(wanted, &ID_FACTORY);
    return give(known ? &FACTORY : NULL, out);
}

static HRESULT WINAPI query_settings(void *self, REFIID wanted, void **out)
{
    if (IsEqualGUID(wanted, &ID_UNKNOWN) || IsEqualGUID(wanted, &ID_INSPECTABLE) || IsEqualGUID(wanted, &ID_AGILE)
        || IsEqualGUID(wanted, &ID_SETTINGS))
        return give(&SETTINGS, out);
    if (IsEqualGUID(wanted, &ID_SETTINGS_2))
        return give(&SETTINGS_2, out);
    if (IsEqualGUID(wanted, &ID_SETTINGS_3))
        return give(&SETTINGS_3, out);
    return give(IsEqualGUID(wanted, &ID_SETTINGS_4) ? &SETTINGS_4 : NULL, out);
}

static HRESULT WINAPI get_iids(void *self, ULONG *number, IID **iids)
{
    *number = 0;
    *iids = NULL;
    return S_OK;
}

static HRESULT WINAPI get_class_name(void *self, HSTRING *name)
{
    return WindowsCreateString(CLASS_NAME, ARRAYSIZE(CLASS_NAME) - 1, name);
}

static HRESULT WINAPI get_trust(void *self, TrustLevel *level)
{
    *level = BaseTrust;
    return S_OK;
}

static HRESULT WINAPI activate(void *self, void **instance)
{
    return give(&SETTINGS, instance);
}

static HRESULT WINAPI get_yes(void *self, BYTE *value)
{
    *value = TRUE;
    return S_OK;
}

static HRESULT WINAPI get_one(void *self, double *value)
{
    *value = 1.0;
    return S_OK;
}

static HRESULT WINAPI get_color(void *self, int kind, Color *color)
{
    static const Color background = {255, 255, 255, 255}, foreground = {255, 0, 0, 0}, accent = {255, 0, 120, 215};
    *color = kind == 0 ? background : kind == 1 ? foreground : accent;
    return S_OK;
}

static HRESULT WINAPI add_handler(void *self, void *handler, INT64 *token)
{
    *token = 1;
    return S_OK;
}

static HRESULT WINAPI remove_handler(void *self, INT64 token)
{
    return S_OK;
}

static HRESULT WINAPI missing(void *self)
{
    return E_NOTIMPL;
}

#define INSPECTABLE(query) (Method)query, (Method)count, (Method)count, (Method)get_iids, (Method)get_class_name, (Method)get_trust
#define MISSING (Method)missing

static const Method factory_methods[] = {INSPECTABLE(query_factory), (Method)activate};
static const Method settings_methods[] = {
    INSPECTABLE(query_settings), MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, (Method)get_yes,
    MISSING, MISSING, MISSING, MISSING, MISSING, MISSING,
};
static const Method settings_2_methods[] = {
    INSPECTABLE(query_settings), (Method)get_one, (Method)add_handler, (Method)remove_handler,
};
static const Method settings_3_methods[] = {
    INSPECTABLE(query_settings), (Method)get_color, (Method)add_handler, (Method)remove_handler,
};
static const Method settings_4_methods[] = {
    INSPECTABLE(query_settings), (Method)get_yes, (Method)add_handler, (Method)remove_handler,
};
static const Object FACTORY = {factory_methods}, SETTINGS = {settings_methods}, SETTINGS_2 = {settings_2_methods},
                    SETTINGS_3 = {settings_3_methods}, SETTINGS_4 = {settings_4_methods};

__declspec(dllexport) HRESULT WINAPI DllGetActivationFactory(HSTRING name, void **factory)
{
    if (lstrcmpW(WindowsGetStringRawBuffer(name, NULL), CLASS_NAME)) {
        *factory = NULL;
        return CLASS_E_CLASSNOTAVAILABLE;
    }
    return give(&FACTORY, factory);
}

__declspec(dllexport) HRESULT WINAPI DllCanUnloadNow(void)
{
    return S_FALSE;
}
