; Windows installer for one user, without administrator rights. installer/nsis.py compiles it and defines VERSION, NUMBERS,
; PAYLOAD, ICON, LICENCE, TARGET and KILOBYTES, also CPU for an installer of one processor type, and QUICKLY for a large one.
!ifdef CPU
    Target ${CPU}-unicode
!endif
Unicode true
; Times of files would differ in every build.
SetDateSave off
ManifestDPIAware true
!ifdef QUICKLY
    SetCompressor zlib
!else
    SetCompressor /SOLID lzma
!endif

!include MUI2.nsh
!include LogicLib.nsh
!include StrFunc.nsh
!include WinVer.nsh
!include x64.nsh
${Using:StrFunc} UnStrStr

!define PRODUCT "WebRAG Desktop"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\WebRAG"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define RUN_APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

Name "${PRODUCT}"
OutFile "${TARGET}"
InstallDir "$LOCALAPPDATA\Programs\WebRAG"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
RequestExecutionLevel user
ShowInstDetails nevershow
ShowUninstDetails nevershow

VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${PRODUCT}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${PRODUCT} Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "CompanyName" "The WebRAG Desktop authors"
VIAddVersionKey "LegalCopyright" "MIT License"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\webrag-desktop.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString SYSTEM ${LANG_ENGLISH} "${PRODUCT} requires 64-bit Windows 10 or newer."
LangString SYSTEM ${LANG_GERMAN} "${PRODUCT} benötigt Windows 10 (64 Bit) oder neuer."
LangString PROGRAM ${LANG_ENGLISH} "Program"
LangString PROGRAM ${LANG_GERMAN} "Programm"
LangString ON_DESKTOP ${LANG_ENGLISH} "Shortcut on the desktop"
LangString ON_DESKTOP ${LANG_GERMAN} "Verknüpfung auf dem Desktop"
LangString DATA ${LANG_ENGLISH} "Also delete the library, settings, keys and logs"
LangString DATA ${LANG_GERMAN} "Auch Bibliothek, Einstellungen, Schlüssel und Protokolle löschen"
LangString LOCKED ${LANG_ENGLISH} "A program file is in use. Quit your assistants and try again."
LangString LOCKED ${LANG_GERMAN} "Eine Programmdatei wird verwendet. Beenden Sie Ihre Assistenten und versuchen Sie es erneut."

; Terminate only the programs in this folder and wait until they exit. SQLite recovers a library that was in use.
!define MAY_END_IT 0x101001 ; SYNCHRONIZE, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_TERMINATE
!define LIST_BYTES 32768
!define WAIT_MILLISECONDS 10000
!macro StopPrograms
    System::Alloc ${LIST_BYTES}
    Pop $1
    System::Call 'psapi::EnumProcesses(p r1, i ${LIST_BYTES}, *i .r2)'
    StrCpy $3 0
    ${While} $3 < $2
        IntPtrOp $4 $1 + $3
        IntOp $3 $3 + 4
        System::Call '*$4(i .r5)'
        System::Call 'kernel32::OpenProcess(i ${MAY_END_IT}, i 0, i r5) p .r6'
        ${If} $6 P<> 0
            StrCpy $7 ""
            System::Call 'kernel32::QueryFullProcessImageNameW(p r6, i 0, w .r7, *i ${NSIS_MAX_STRLEN})'
            ${If} $7 == "$INSTDIR\webrag.exe"
            ${OrIf} $7 == "$INSTDIR\webrag-desktop.exe"
                System::Call 'kernel32::TerminateProcess(p r6, i 1)'
                System::Call 'kernel32::WaitForSingleObject(p r6, i ${WAIT_MILLISECONDS})'
            ${EndIf}
            System::Call 'kernel32::CloseHandle(p r6)'
        ${EndIf}
    ${EndWhile}
    System::Free $1
!macroend

; Remove only files that the installer created, because the user can choose an existing folder.
!macro RemovePrograms
    RMDir /r "$INSTDIR\_internal"
    Delete "$INSTDIR\webrag.exe"
    Delete "$INSTDIR\webrag-desktop.exe"
!macroend

Function .onInit
    ${IfNot} ${AtLeastWin10}
    ${OrIfNot} ${RunningX64}
        MessageBox MB_ICONSTOP "$(SYSTEM)" /SD IDOK
        Abort
    ${EndIf}
FunctionEnd

Section "$(PROGRAM)"
    SectionIn RO
    !insertmacro StopPrograms
    ClearErrors
    !insertmacro RemovePrograms
    ${If} ${Errors}
        MessageBox MB_ICONSTOP "$(LOCKED)" /SD IDOK
        SetErrorLevel 2
        Abort "$(LOCKED)"
    ${EndIf}
    SetOutPath "$INSTDIR"
    File /r "${PAYLOAD}/*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\${PRODUCT}.lnk" "$INSTDIR\webrag-desktop.exe"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${PRODUCT}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\webrag-desktop.exe"
    WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The WebRAG Desktop authors"
    WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section /o "$(ON_DESKTOP)"
    CreateShortcut "$DESKTOP\${PRODUCT}.lnk" "$INSTDIR\webrag-desktop.exe"
SectionEnd

; Must be the first section of the uninstaller, because it needs the program. A silent uninstallation keeps the data.
Section /o "un.$(DATA)"
    !insertmacro StopPrograms
    nsExec::Exec '"$INSTDIR\webrag.exe" erase library logs secrets settings --yes'
    Pop $0
    RMDir /r "$LOCALAPPDATA\WebRAG"
    RMDir /r "$APPDATA\WebRAG"
SectionEnd

Section "un.$(PROGRAM)"
    SectionIn RO
    !insertmacro StopPrograms
    ; Remove this program from the configuration files of assistants.
    nsExec::Exec '"$INSTDIR\webrag.exe" unregister --own --delete-copies'
    Pop $0
    ReadRegStr $0 HKCU "${RUN}" "${PRODUCT}"
    ${UnStrStr} $1 $0 "$INSTDIR\"
    ${If} $1 != ""
        DeleteRegValue HKCU "${RUN}" "${PRODUCT}"
        DeleteRegValue HKCU "${RUN_APPROVED}" "${PRODUCT}"
    ${EndIf}
    !insertmacro RemovePrograms
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\${PRODUCT}.lnk"
    Delete "$DESKTOP\${PRODUCT}.lnk"
    DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
