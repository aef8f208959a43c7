<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Details copied, without names or keys</source>
        <translation>Details kopiert, ohne Namen und Schlüssel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Show licenses</source>
        <translation>Lizenzen anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Open the folder of the settings file</source>
        <translation>Ordner der Einstellungsdatei öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>WebRAG {} is available</source>
        <translation>WebRAG {} ist verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>ActivityModel</name>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Invalid argument: {}</source>
        <translation>Ungültiges Argument: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Invalid request</source>
        <translation>Ungültige Anfrage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Not allowed</source>
        <translation>Nicht erlaubt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Not available</source>
        <translation>Nicht verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Timed out</source>
        <translation>Zeit abgelaufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Limit exceeded</source>
        <translation>Grenze überschritten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Internal error</source>
        <translation>Interner Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Answered</source>
        <translation>Beantwortet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Closest only</source>
        <translation>Nur Ähnliches</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Reading pages</source>
        <translation>Liest Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Understanding the question</source>
        <translation>Analysiert die Frage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Searching</source>
        <translation>Sucht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Comparing passages</source>
        <translation>Vergleicht Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Following links</source>
        <translation>Folgt Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Compiling the answer</source>
        <translation>Stellt die Antwort zusammen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>{} − {} = {} more tokens than on its pages</source>
        <translation>{} − {} = {} Token mehr als auf den Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>{} − {} = {} tokens saved</source>
        <translation>{} − {} = {} Token gespart</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>No tokens saved: its pages were already counted that day</source>
        <translation>Keine Token gespart: Die Seiten wurden an diesem Tag schon gezählt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Passages used</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Page length</source>
        <translation>Seitenlänge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>not stored</source>
        <translation>nicht gespeichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Counted tokens</source>
        <translation>Gezählte Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Each page counts once a day. For searches, only the top page counts.</source>
        <translation>Jede Seite zählt einmal am Tag, bei Suchen nur die beste Seite.</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Questions and the passages found.</source>
        <translation>Fragen und die gefundenen Textstellen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>All tool calls of assistants.</source>
        <translation>Alle Werkzeugaufrufe.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Tokens returned and tokens saved.</source>
        <translation>Zurückgegebene und gesparte Token.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Background jobs. They resume after a restart.</source>
        <translation>Aufträge im Hintergrund. Nach einem Neustart werden sie fortgesetzt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Erase the activity record</source>
        <translation>Aufzeichnung löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Erase all recorded calls and questions? Pages and answers are kept. This cannot be undone.</source>
        <translation>Alle aufgezeichneten Aufrufe und Fragen löschen? Seiten und Antworten bleiben erhalten. Das kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Activity record erased</source>
        <translation>Aufzeichnung gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Recording settings…</source>
        <translation>Aufzeichnung einstellen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Choose whether WebRAG records tool calls, or erase the record</source>
        <translation>Aufzeichnung der Werkzeugaufrufe ein- oder ausschalten oder löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Questions with the passages found</source>
        <translation>Fragen mit den gefundenen Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>All calls in a table</source>
        <translation>Alle Aufrufe als Tabelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Tokens returned to assistants each day</source>
        <translation>An Assistenten zurückgegebene Token pro Tag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Sites, folders and lists added in the background</source>
        <translation>Websites, Ordner und Listen, die im Hintergrund hinzugefügt werden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
</context>
<context>
    <name>AddPackagesDialog</name>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Add documentation of 1 package</source>
        <translation>Dokumentation von 1 Paket hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Add documentation of {} packages</source>
        <translation>Dokumentation von {} Paketen hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Download documentation from package registries</source>
        <translation>Dokumentation aus Paket-Registries herunterladen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Adds documentation that copies on this computer lack. The registries see your IP address, these requests and those for the archives. Packages from private indexes are never requested.</source>
        <translation>Ergänzt Dokumentation, die in den Kopien auf diesem Computer fehlt. Die Registries sehen Ihre IP-Adresse, diese Anfragen und die nach den Archiven. Pakete aus privaten Indizes werden nie angefragt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Add documentation</source>
        <translation>Dokumentation hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>No package is installed in the project.</source>
        <translation>Im Projekt ist kein Paket installiert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>1 package from its copy</source>
        <translation>1 Paket aus seiner Kopie</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>{} packages from their copies</source>
        <translation>{} Pakete aus ihren Kopien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>{} on this computer</source>
        <translation>{} auf diesem Computer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>1 package is not installed and needs a download.</source>
        <translation>1 Paket ist nicht installiert und muss heruntergeladen werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>{} packages are not installed and need a download.</source>
        <translation>{} Pakete sind nicht installiert und müssen heruntergeladen werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>WebRAG does not use the network.</source>
        <translation>WebRAG nutzt das Netzwerk nicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Download and add</source>
        <translation>Herunterladen und hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Reading the lock files…</source>
        <translation>Lockdateien werden gelesen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>1 download</source>
        <translation>1 Download</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>{} downloads</source>
        <translation>{} Downloads</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>{}: about {} in about {}.</source>
        <translation>{}: etwa {} in etwa {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Nothing needs a download.</source>
        <translation>Nichts muss heruntergeladen werden.</translation>
    </message>
</context>
<context>
    <name>AddPageDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Add to the library</source>
        <translation>Zur Bibliothek hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>One or several pages</source>
        <translation>Eine oder mehrere Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Site</source>
        <translation>Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>A page and the pages around it</source>
        <translation>Eine Seite und die Seiten um sie herum</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Folder or file</source>
        <translation>Ordner, Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Files on this computer</source>
        <translation>Dateien auf diesem Computer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Content to add</source>
        <translation>Was hinzugefügt wird</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/dialog.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>AddPanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>Add anyway</source>
        <translation>Trotzdem hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>“{}” is not a web address.</source>
        <translation>„{}“ ist keine Webadresse.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>Enter an address such as example.com/page or https://example.com.</source>
        <translation>Geben Sie eine Adresse wie example.com/seite oder https://example.com ein.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>Open setting</source>
        <translation>Einstellung öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>Try again</source>
        <translation>Wiederholen</translation>
    </message>
</context>
<context>
    <name>AddingLine</name>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Show details</source>
        <translation>Details anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Cancel adding documentation</source>
        <translation>Hinzufügen der Dokumentation abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>Adding documentation: {} of {} packages</source>
        <translation>Dokumentation wird hinzugefügt: {} von {} Paketen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/adding.py"/>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
</context>
<context>
    <name>AddressRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Copy server address</source>
        <translation>Serveradresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Not listening</source>
        <translation>Nicht erreichbar</translation>
    </message>
</context>
<context>
    <name>Announcements</name>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>WebRAG moved to {}. Assistants that use the old address cannot connect.</source>
        <translation>WebRAG ist jetzt unter {} erreichbar. Assistenten mit der alten Adresse können sich nicht verbinden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Another program uses port {}</source>
        <translation>Ein anderes Programm belegt Port {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>You can still search. WebRAG saves new pages again when there is enough space.</source>
        <translation>Sie können weiterhin suchen. WebRAG speichert neue Seiten wieder, sobald genug Platz ist.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>The disk is full</source>
        <translation>Der Datenträger ist voll</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Disk space available again</source>
        <translation>Wieder genug Speicherplatz</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>WebRAG saves new pages again.</source>
        <translation>WebRAG speichert wieder neue Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Only {} left on the disk of your library. WebRAG may not be able to save new pages.</source>
        <translation>Auf dem Datenträger Ihrer Bibliothek sind nur noch {} frei. WebRAG kann neue Seiten vielleicht nicht speichern.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>The disk is almost full</source>
        <translation>Der Datenträger ist fast voll</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>{} is connected and asked its first question</source>
        <translation>{} ist verbunden und hat die erste Frage gestellt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>It received passages from {}.</source>
        <translation>Es erhielt Textstellen aus {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Show passage</source>
        <translation>Textstelle anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Finished: {}</source>
        <translation>Fertig: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>1 page indexed.</source>
        <translation>1 Seite indexiert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>{} pages indexed.</source>
        <translation>{} Seiten indexiert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>1 page could not be read.</source>
        <translation>1 Seite war nicht lesbar.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>{} pages could not be read.</source>
        <translation>{} Seiten waren nicht lesbar.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Failed: {}</source>
        <translation>Fehlgeschlagen: {}</translation>
    </message>
</context>
<context>
    <name>AskWindow</name>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Ask WebRAG</source>
        <translation>WebRAG fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Ask your library</source>
        <translation>Ihre Bibliothek fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Where to search</source>
        <translation>Suchbereich</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>↑ ↓ Select   ·   Enter Open   ·   Ctrl+C Copy with source   ·   Esc Close</source>
        <translation>↑ ↓ Auswählen   ·   Enter Öffnen   ·   Strg+C Mit Quelle kopieren   ·   Esc Schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Search everywhere</source>
        <translation>Überall suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Type a question to see the best page with the answer highlighted. Nothing is fetched from the web.</source>
        <translation>Geben Sie eine Frage ein: Die beste Seite erscheint mit markierter Antwort. Aus dem Web wird nichts geladen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Answers from your library</source>
        <translation>Antworten aus Ihrer Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Open in Search</source>
        <translation>In der Suche öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Try other words, or search everywhere.</source>
        <translation>Versuchen Sie andere Wörter, oder suchen Sie überall.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Try other words.</source>
        <translation>Versuchen Sie andere Wörter.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>No results</source>
        <translation>Keine Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Looked in: {}</source>
        <translation>Gesucht in: {}</translation>
    </message>
</context>
<context>
    <name>AssistantHead</name>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Test the connection</source>
        <translation>Verbindung testen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Start WebRAG the same way as the assistant and check that it works</source>
        <translation>WebRAG wie der Assistent starten und prüfen, ob es funktioniert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Restore entry…</source>
        <translation>Eintrag wiederherstellen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Repair entry…</source>
        <translation>Eintrag reparieren…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Replace entry…</source>
        <translation>Eintrag ersetzen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Any assistant that supports MCP (Model Context Protocol) can use WebRAG.</source>
        <translation>Jeder Assistent, der MCP (Model Context Protocol) unterstützt, kann WebRAG verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Not installed on this computer.</source>
        <translation>Auf diesem Computer nicht installiert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Installed, but not connected to WebRAG.</source>
        <translation>Installiert, aber nicht mit WebRAG verbunden.</translation>
    </message>
</context>
<context>
    <name>AssistantLine</name>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Connected now</source>
        <translation>Jetzt verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Last used: {}</source>
        <translation>Zuletzt genutzt: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Not connected since setup</source>
        <translation>Seit der Einrichtung nicht verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>No questions yet</source>
        <translation>Noch keine Fragen</translation>
    </message>
</context>
<context>
    <name>AssistantList</name>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
</context>
<context>
    <name>AssistantPane</name>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>No assistant found on this computer</source>
        <translation>Auf diesem Computer wurde kein Assistent gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Install one of the assistants listed here and start it once. WebRAG can then connect it. For any other assistant, use the entry below.</source>
        <translation>Installieren Sie einen der hier aufgeführten Assistenten und starten Sie ihn einmal. WebRAG kann ihn dann verbinden. Für jeden anderen Assistenten verwenden Sie den Eintrag unten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Problem with its configuration</source>
        <translation>Seine Konfiguration hat ein Problem</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Its WebRAG entry needs repair</source>
        <translation>Sein Eintrag für WebRAG muss repariert werden</translation>
    </message>
</context>
<context>
    <name>AssistantRow</name>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect {}</source>
        <translation>{} verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Show change…</source>
        <translation>Änderung zeigen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Show the change for {}</source>
        <translation>Änderung für {} zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Entry added</source>
        <translation>Eintrag angelegt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
</context>
<context>
    <name>AssistantView</name>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Length of this text in tokens</source>
        <translation>Länge dieses Textes in Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>The tool that the assistant calls. Each tool formats the results differently.</source>
        <translation>Das Werkzeug, das der Assistent aufruft. Jedes Werkzeug stellt die Ergebnisse anders dar.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Text copied</source>
        <translation>Text kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Assistant view</source>
        <translation>Sicht des Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Calling {}…</source>
        <translation>{} wird aufgerufen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
</context>
<context>
    <name>Assistants</name>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Entry removed</source>
        <translation>Eintrag entfernt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Turned off</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Restart {}</source>
        <translation>{} neu starten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not started yet</source>
        <translation>Noch nicht gestartet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected (other entry)</source>
        <translation>Verbunden (anderer Eintrag)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Manual setup</source>
        <translation>Manuell einrichten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not supported</source>
        <translation>Nicht unterstützt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected now</source>
        <translation>Jetzt verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected · used {}</source>
        <translation>Verbunden · genutzt {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Used {}</source>
        <translation>Genutzt {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Last used {}.</source>
        <translation>Zuletzt genutzt: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Uses WebRAG through an entry outside its usual files, for example in a project. {}</source>
        <translation>Benutzt WebRAG über einen Eintrag außerhalb der üblichen Dateien, zum Beispiel in einem Projekt. {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Open now.</source>
        <translation>Jetzt offen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Open now, {} times.</source>
        <translation>Jetzt {}-mal offen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>No questions yet.</source>
        <translation>Noch keine Fragen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Set up, but it has not started WebRAG yet.</source>
        <translation>Eingerichtet, hat WebRAG aber noch nicht gestartet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>{} has a “webrag” entry that starts another program: {}</source>
        <translation>{} hat einen Eintrag „webrag“, der ein anderes Programm startet: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>The entry is turned off. Turn it on in the settings of {}.</source>
        <translation>Der Eintrag ist ausgeschaltet. Schalten Sie ihn in den Einstellungen von {} ein.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Configuration is readable</source>
        <translation>Konfiguration ist lesbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Contains the WebRAG entry</source>
        <translation>Enthält den WebRAG-Eintrag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Program to start exists</source>
        <translation>Zu startendes Programm ist vorhanden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Responds in the current protocol</source>
        <translation>Antwortet im aktuellen Protokoll</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Stops when the assistant quits</source>
        <translation>Endet mit dem Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Responds in the new protocol</source>
        <translation>Antwortet im neuen Protokoll</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Stops when the assistant quits (new protocol)</source>
        <translation>Endet mit dem Assistenten (neues Protokoll)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Offers tools</source>
        <translation>Bietet Werkzeuge an</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Tool names are accepted</source>
        <translation>Werkzeugnamen werden akzeptiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Tool descriptions are complete</source>
        <translation>Werkzeugbeschreibungen sind vollständig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Tool inputs are described</source>
        <translation>Werkzeugeingaben sind beschrieben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Same tools in both protocols</source>
        <translation>Gleiche Werkzeuge in beiden Protokollen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Instructions are complete</source>
        <translation>Anleitung ist vollständig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Instructions are complete (new protocol)</source>
        <translation>Anleitung ist vollständig (neues Protokoll)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Writes protocol messages only</source>
        <translation>Schreibt nur Protokollnachrichten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>WebRAG is turned on</source>
        <translation>WebRAG ist eingeschaltet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Settings are readable</source>
        <translation>Einstellungen sind lesbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Enough disk space for the library</source>
        <translation>Genug Speicherplatz für die Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>WebRAG responds</source>
        <translation>WebRAG antwortet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Port is available</source>
        <translation>Port ist verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Library check passed</source>
        <translation>Bibliothek ist in Ordnung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Search model works</source>
        <translation>Suchmodell funktioniert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Keyring is available</source>
        <translation>Schlüsselbund ist verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>This installation</source>
        <translation>Diese Installation</translation>
    </message>
</context>
<context>
    <name>AssistantsCard</name>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Connect an assistant</source>
        <translation>Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Looking for assistants…</source>
        <translation>Assistenten werden gesucht…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>No supported assistant found. Choose Connect… for instructions.</source>
        <translation>Kein unterstützter Assistent gefunden. „Verbinden…“ zeigt, was zu tun ist.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>and 1 more</source>
        <translation>und 1 weiterer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>and {} more</source>
        <translation>und {} weitere</translation>
    </message>
</context>
<context>
    <name>AssistantsStep</name>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>WebRAG adds one entry to each selected assistant's settings. Nothing changes until you click Connect.</source>
        <translation>WebRAG fügt den Einstellungen jedes ausgewählten Assistenten einen Eintrag hinzu. Bis Sie auf „Verbinden“ klicken, ändert sich nichts.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect your assistants</source>
        <translation>Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>You can connect an assistant later: open Assistants in the WebRAG window.</source>
        <translation>Sie können einen Assistenten später verbinden: Öffnen Sie im Fenster von WebRAG „Assistenten“.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>No assistant found</source>
        <translation>Kein Assistent gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect 1 assistant</source>
        <translation>1 Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect {} assistants</source>
        <translation>{} Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>1 assistant is set up. Follow the step next to it to finish connecting.</source>
        <translation>1 Assistent ist eingerichtet. Folgen Sie dem Hinweis daneben, um die Verbindung abzuschließen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>{} assistants are set up. Follow the step next to each one to finish connecting.</source>
        <translation>{} Assistenten sind eingerichtet. Folgen Sie jeweils dem Hinweis daneben, um die Verbindung abzuschließen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Nothing was changed.</source>
        <translation>Es wurde nichts geändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connecting…</source>
        <translation>Wird verbunden…</translation>
    </message>
</context>
<context>
    <name>AutomaticRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>1 backup from {}, {} in total.</source>
        <translation>1 Sicherung vom {}, insgesamt {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>{} backups, the latest from {}, {} in total.</source>
        <translation>{} Sicherungen, die neueste vom {}, insgesamt {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Deleted pages stay in backups for up to {} days.</source>
        <translation>Gelöschte Seiten bleiben bis zu {} Tage in Sicherungen.</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Dismiss this notice</source>
        <translation>Hinweis schließen</translation>
    </message>
</context>
<context>
    <name>BookmarkTree</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>Bookmark folders</source>
        <translation>Lesezeichenordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>Pages directly in this folder</source>
        <translation>Seiten direkt in diesem Ordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>Pages outside folders</source>
        <translation>Seiten außerhalb von Ordnern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
</context>
<context>
    <name>ByHandCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>The assistant connects to the running WebRAG by its address (HTTP)</source>
        <translation>Der Assistent verbindet sich über die Adresse mit dem laufenden WebRAG (HTTP)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>The assistant starts the WebRAG bridge automatically (stdio)</source>
        <translation>Der Assistent startet die Brücke von WebRAG automatisch (stdio)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Only the command, for assistants with a form</source>
        <translation>Nur der Befehl, für Assistenten mit einem Formular</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Type of entry</source>
        <translation>Art des Eintrags</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Entry to paste</source>
        <translation>Eintrag zum Einfügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Insert token</source>
        <translation>Token einsetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Any program on this computer can use WebRAG with this token. Paste it only where you need it.</source>
        <translation>Mit diesem Zugangstoken kann jedes Programm auf diesem Computer WebRAG verwenden. Fügen Sie es nur ein, wo Sie es brauchen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Connect manually</source>
        <translation>Manuell verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Starts WebRAG when needed. Contains no secrets.</source>
        <translation>Startet WebRAG bei Bedarf. Enthält keine Zugangsdaten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>For assistants that ask for the server command in a form.</source>
        <translation>Für Assistenten, die den Befehl des Servers in einem Formular abfragen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>The WebRAG server is not running.</source>
        <translation>Der Server von WebRAG läuft nicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Works while WebRAG is running. The entry needs the access token, which is only inserted when you choose Insert token.</source>
        <translation>Funktioniert, solange WebRAG läuft. Der Eintrag braucht das Zugangstoken; „Token einsetzen“ fügt es ein.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Entry copied with token</source>
        <translation>Eintrag mit Zugangstoken kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Entry copied. Paste it into your assistant's settings.</source>
        <translation>Eintrag kopiert. Fügen Sie ihn in die Einstellungen Ihres Assistenten ein.</translation>
    </message>
</context>
<context>
    <name>CallDetails</name>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>The pages that the call used</source>
        <translation>Die Seiten, die der Aufruf verwendet hat</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>How it was found</source>
        <translation>Weg zur Antwort</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Which links were followed, and the result of each page</source>
        <translation>Welche Links verfolgt wurden und was jede Seite ergab</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Details to show</source>
        <translation>Angezeigte Einzelheiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Ask again in Search</source>
        <translation>In Suche wiederholen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Open page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Delete page</source>
        <translation>Seite löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Delete its text from the library</source>
        <translation>Den Text aus der Bibliothek löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Block site</source>
        <translation>Website sperren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Never fetch pages of this site again</source>
        <translation>Seiten dieser Website nie wieder abrufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Delete “{}” from the library? Assistants can fetch it again.</source>
        <translation>„{}“ aus der Bibliothek löschen? Assistenten können die Seite erneut abrufen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>“{}” deleted</source>
        <translation>„{}“ gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Open passage {}</source>
        <translation>Textstelle {} öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Pages used by the call</source>
        <translation>Vom Aufruf verwendete Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>No pages were used</source>
        <translation>Keine Seiten verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Search details are kept until you quit WebRAG. There are none for this call.</source>
        <translation>Einzelheiten der Suche werden aufbewahrt, bis Sie WebRAG beenden. Zu diesem Aufruf gibt es keine.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>No call selected</source>
        <translation>Kein Aufruf ausgewählt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>unknown assistant</source>
        <translation>unbekannter Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>1 token returned</source>
        <translation>1 Token zurückgegeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>{} tokens returned</source>
        <translation>{} Token zurückgegeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Open passage</source>
        <translation>Textstelle öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Select a page</source>
        <translation>Seite auswählen</translation>
    </message>
</context>
<context>
    <name>CallsPane</name>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Tool calls</source>
        <translation>Werkzeugaufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>No calls match the filter</source>
        <translation>Keine Aufrufe passen zum Filter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Filter calls</source>
        <translation>Aufrufe filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Filter the calls</source>
        <translation>Aufrufe filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>By question, assistant, tool, outcome or page</source>
        <translation>Nach Frage, Assistent, Werkzeug, Ergebnis oder Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Freeze the list while you read. Calls continue.</source>
        <translation>Liste beim Lesen anhalten. Die Aufrufe laufen weiter.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Connect an assistant and ask it about a web page. Each call then appears here immediately.</source>
        <translation>Verbinden Sie einen Assistenten und fragen Sie ihn nach einer Webseite. Jeder Aufruf erscheint dann sofort hier.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Connect an assistant</source>
        <translation>Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>No calls yet</source>
        <translation>Noch keine Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>All assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>All tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Continue ({} new)</source>
        <translation>Weiter ({} neu)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/calls.py"/>
        <source>All outcomes</source>
        <translation>Ergebnisse</translation>
    </message>
</context>
<context>
    <name>ChangesView</name>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Earlier version to compare with</source>
        <translation>Frühere Fassung zum Vergleichen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Changed since</source>
        <translation>Geändert seit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Previous change</source>
        <translation>Vorige Änderung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Next change</source>
        <translation>Nächste Änderung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Changes of the page</source>
        <translation>Änderungen der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>No earlier versions</source>
        <translation>Keine früheren Fassungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>When the page changes, the differences appear here.</source>
        <translation>Wenn sich die Seite ändert, erscheinen hier die Unterschiede.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Cannot read the earlier versions</source>
        <translation>Frühere Fassungen können nicht gelesen werden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Check the library under Settings &gt; Storage.</source>
        <translation>Prüfen Sie die Bibliothek unter Einstellungen &gt; Speicher.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} (last cited)</source>
        <translation>{} (zuletzt zitiert)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} (oldest version)</source>
        <translation>{} (älteste Fassung)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Fetched on {}, changed on {}</source>
        <translation>Abgerufen am {}, geändert am {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{}, then at {}</source>
        <translation>{}, damals unter {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>1 passage changed</source>
        <translation>1 Textstelle geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} passages changed</source>
        <translation>{} Textstellen geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>1 passage added</source>
        <translation>1 Textstelle hinzugekommen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} passages added</source>
        <translation>{} Textstellen hinzugekommen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>1 passage removed</source>
        <translation>1 Textstelle entfallen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} passages removed</source>
        <translation>{} Textstellen entfallen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>No differences</source>
        <translation>Keine Unterschiede</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>Passages returned to {} have changed.</source>
        <translation>An {} zurückgegebene Textstellen haben sich geändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>The page was rewritten. Almost none of the earlier text remains.</source>
        <translation>Die Seite wurde neu geschrieben. Vom früheren Text ist fast nichts übrig.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>The page has too many changes to compare its passages.</source>
        <translation>Die Seite hat zu viele Änderungen, um ihre Textstellen zu vergleichen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>1 more change</source>
        <translation>1 weitere Änderung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} more changes</source>
        <translation>{} weitere Änderungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>1 unchanged passage</source>
        <translation>1 unveränderte Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{} unchanged passages</source>
        <translation>{} unveränderte Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>+ Added</source>
        <translation>+ Hinzugekommen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>− Removed</source>
        <translation>− Entfallen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>± Changed</source>
        <translation>± Geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/changes.py"/>
        <source>{}  ·  returned to an assistant</source>
        <translation>{}  ·  an einen Assistenten zurückgegeben</translation>
    </message>
</context>
<context>
    <name>CheckEverythingDialog</name>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Check all connections</source>
        <translation>Alle Verbindungen prüfen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>CheckLine</name>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Failed: {}: {}</source>
        <translation>Fehlgeschlagen: {}: {}</translation>
    </message>
</context>
<context>
    <name>Checklist</name>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Hide this list</source>
        <translation>Liste ausblenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Getting started</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Search model tested</source>
        <translation>Suchmodell getestet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Setup</source>
        <translation>Einrichtung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Connect an assistant</source>
        <translation>Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Add your first page</source>
        <translation>Erste Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Add page…</source>
        <translation>Seite hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Ask a question from your assistant</source>
        <translation>Mit dem Assistenten eine Frage stellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Show how</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Suggestions:</source>
        <translation>Vorschläge:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Add {}</source>
        <translation>{} hinzufügen</translation>
    </message>
</context>
<context>
    <name>ChecklistItem</name>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>{} (done)</source>
        <translation>{} (erledigt)</translation>
    </message>
</context>
<context>
    <name>ChunksView</name>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Page passages</source>
        <translation>Textstellen der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>No passages yet</source>
        <translation>Noch keine Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Passage text</source>
        <translation>Text der Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Show in page</source>
        <translation>In der Seite zeigen</translation>
    </message>
</context>
<context>
    <name>ClientToolsRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Connected now: {}</source>
        <translation>Jetzt verbunden: {}</translation>
    </message>
</context>
<context>
    <name>ClientsModel</name>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Other assistants</source>
        <translation>Andere Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Not found on this computer</source>
        <translation>Nicht auf diesem Computer gefunden</translation>
    </message>
</context>
<context>
    <name>ClientsPage</name>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>AI assistants on this computer that can use WebRAG.</source>
        <translation>KI-Assistenten auf diesem Computer, die WebRAG verwenden können.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>Check all connections</source>
        <translation>Alle Verbindungen prüfen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>Check this computer and test the connection of every assistant</source>
        <translation>Diesen Computer prüfen und die Verbindung jedes Assistenten testen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>Searching…</source>
        <translation>Sucht…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>WebRAG is reading the settings of your assistants.</source>
        <translation>WebRAG liest die Einstellungen Ihrer Assistenten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>1 connected</source>
        <translation>1 verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>{} connected</source>
        <translation>{} verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>1 assistant found</source>
        <translation>1 Assistent gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>{} assistants found</source>
        <translation>{} Assistenten gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>No supported assistant found on this computer.</source>
        <translation>Auf diesem Computer wurde kein unterstützter Assistent gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/page.py"/>
        <source>WebRAG's entry for {} was restored</source>
        <translation>Der Eintrag von WebRAG für {} wurde wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>WebRAG is still running for your assistants. To quit, right-click the tray icon.</source>
        <translation>WebRAG läuft für Ihre Assistenten weiter. Klicken Sie zum Beenden mit der rechten Maustaste auf das Symbol im Infobereich.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>WebRAG stays in the tray</source>
        <translation>WebRAG bleibt im Infobereich</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Close WebRAG</source>
        <translation>WebRAG schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Keep WebRAG running for your assistants?</source>
        <translation>WebRAG für Ihre Assistenten weiterlaufen lassen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Your desktop does not have a tray. WebRAG would keep running as a minimized window in the taskbar.</source>
        <translation>Ihr Desktop hat keinen Infobereich. WebRAG würde als minimiertes Fenster in der Taskleiste weiterlaufen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Keep running</source>
        <translation>Weiterlaufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Do not ask again. You can change this in Settings.</source>
        <translation>Nicht mehr fragen. Sie können das in den Einstellungen ändern.</translation>
    </message>
</context>
<context>
    <name>CodeRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Pairing code</source>
        <translation>Kopplungscode</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Hide code</source>
        <translation>Code ausblenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Enter this code in the extension. It works once and expires in five minutes.</source>
        <translation>Geben Sie diesen Code in der Erweiterung ein. Er gilt einmal und läuft nach fünf Minuten ab.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>{} is paired</source>
        <translation>{} ist gekoppelt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Code copied</source>
        <translation>Code kopiert</translation>
    </message>
</context>
<context>
    <name>CollectionBox</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>Collection for new pages</source>
        <translation>Sammlung für neue Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>New pages go to this collection. Enter a new name to create one.</source>
        <translation>Neue Seiten kommen in diese Sammlung. Ein neuer Name legt eine Sammlung an.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/panel.py"/>
        <source>No collection</source>
        <translation>Keine Sammlung</translation>
    </message>
</context>
<context>
    <name>ConfigWatch</name>
    <message>
        <location filename="../../app/desktop/config_watch.py"/>
        <source>WebRAG restores the entry automatically.</source>
        <translation>WebRAG stellt den Eintrag automatisch wieder her.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/config_watch.py"/>
        <source>WebRAG restored the entry {} times and has stopped. Choose Repair to restore it again.</source>
        <translation>WebRAG hat den Eintrag {} Mal wiederhergestellt und damit aufgehört. Mit „Reparieren“ stellen Sie ihn wieder her.</translation>
    </message>
</context>
<context>
    <name>ConnectClientDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Disconnect {}</source>
        <translation>{} trennen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Connect {}</source>
        <translation>{} verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Configuration change</source>
        <translation>Änderung der Konfiguration</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Remove entry</source>
        <translation>Eintrag entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Apply change</source>
        <translation>Änderung übernehmen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>These are the only changes. Other lines are kept, and the file is backed up first.</source>
        <translation>Dies sind die einzigen Änderungen. Andere Zeilen bleiben erhalten, und die Datei wird vorher gesichert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Next step: {}</source>
        <translation>Nächster Schritt: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>{} has no WebRAG entry. No changes needed.</source>
        <translation>{} hat keinen WebRAG-Eintrag. Keine Änderungen nötig.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>{} is already set up correctly. No changes needed.</source>
        <translation>{} ist schon richtig eingerichtet. Keine Änderungen nötig.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>WebRAG was removed from {}.</source>
        <translation>WebRAG wurde aus {} entfernt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>{} is set up. {}</source>
        <translation>{} ist eingerichtet. {}</translation>
    </message>
</context>
<context>
    <name>Consent</name>
    <message>
        <location filename="../../app/desktop/pages/activity/consent.py"/>
        <source>Activity then shows each question with the passages that answered it. WebRAG keeps questions for {} days in a separate file on this computer only. They are never part of a backup or a log, and you can erase them at any time.</source>
        <translation>Die Aktivität zeigt dann jede Frage mit den Textstellen, die sie beantwortet haben. WebRAG speichert Fragen {} Tage lang in einer eigenen Datei, nur auf diesem Computer. Sie sind nie Teil einer Sicherung oder eines Protokolls, und Sie können sie jederzeit löschen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/consent.py"/>
        <source>Kept for {} days, on this computer only. You can erase them at any time.</source>
        <translation>{} Tage lang, nur auf diesem Computer. Sie können sie jederzeit löschen.</translation>
    </message>
</context>
<context>
    <name>ConsentCard</name>
    <message>
        <location filename="../../app/desktop/pages/activity/consent.py"/>
        <source>Save the questions of your assistants?</source>
        <translation>Fragen Ihrer Assistenten speichern?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/consent.py"/>
        <source>Save questions</source>
        <translation>Fragen speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/consent.py"/>
        <source>Do not save</source>
        <translation>Nicht speichern</translation>
    </message>
</context>
<context>
    <name>ContentRow</name>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>https:// – a page you use often</source>
        <translation>https:// – eine Seite, die Sie oft verwenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Page address</source>
        <translation>Adresse der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Project…</source>
        <translation>Projekt…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Add the documentation of exactly the packages that a project uses</source>
        <translation>Dokumentation genau der Pakete hinzufügen, die ein Projekt verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Add a page, a folder, or documentation for a project (optional)</source>
        <translation>Seite, Ordner oder Dokumentation für ein Projekt hinzufügen (optional)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Enter a web address, for example docs.python.org.</source>
        <translation>Geben Sie eine Webadresse ein, zum Beispiel docs.python.org.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Added “{}” to the library: {}.</source>
        <translation>„{}“ zur Bibliothek hinzugefügt: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Reading {}…</source>
        <translation>{} wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>WebRAG indexes “{}” in the background and keeps it up to date. Activity shows the progress.</source>
        <translation>WebRAG indexiert „{}“ im Hintergrund und hält es aktuell. „Aktivität“ zeigt den Fortschritt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Scanning {}…</source>
        <translation>{} wird durchgesehen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>The documentation for “{}” is already added.</source>
        <translation>Die Dokumentation für „{}“ ist schon hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>WebRAG adds the documentation for “{}” in the background. Activity shows the progress.</source>
        <translation>WebRAG fügt die Dokumentation für „{}“ im Hintergrund hinzu. „Aktivität“ zeigt den Fortschritt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Stopped.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Choose the folder of a project</source>
        <translation>Ordner eines Projekts wählen</translation>
    </message>
</context>
<context>
    <name>Context</name>
    <message>
        <location filename="../../app/desktop/context.py"/>
        <source>Address copied</source>
        <translation>Adresse kopiert</translation>
    </message>
</context>
<context>
    <name>ConversationPane</name>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Question erased</source>
        <translation>Frage gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Erase questions</source>
        <translation>Fragen löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Permanently erase all questions of {}? Calls and pages are kept.</source>
        <translation>Alle Fragen vom {} endgültig löschen? Aufrufe und Seiten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Questions erased</source>
        <translation>Fragen gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Permanently erase all saved questions? Calls and pages are kept.</source>
        <translation>Alle gespeicherten Fragen endgültig löschen? Aufrufe und Seiten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Search questions</source>
        <translation>Fragen durchsuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Search the questions of all days</source>
        <translation>Fragen aller Tage durchsuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Previous day with calls</source>
        <translation>Vorheriger Tag mit Aufrufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Next day with calls</source>
        <translation>Nächster Tag mit Aufrufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Erase…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Show earlier calls</source>
        <translation>Frühere Aufrufe anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>No calls with this outcome</source>
        <translation>Keine Aufrufe mit diesem Ergebnis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Choose “All outcomes” to see every call.</source>
        <translation>Wählen Sie „Ergebnisse“, um alle Aufrufe zu sehen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>No matching questions</source>
        <translation>Keine passenden Fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Searched all days.</source>
        <translation>Alle Tage wurden durchsucht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Questions of assistants appear here immediately, with the passages that answer them.</source>
        <translation>Fragen von Assistenten erscheinen sofort hier, mit den Textstellen, die sie beantworten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>No calls on this day</source>
        <translation>Keine Aufrufe an diesem Tag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>unknown assistant</source>
        <translation>unbekannter Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>{} asks: {}</source>
        <translation>{} fragt: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>Questions of this day…</source>
        <translation>Fragen dieses Tages…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/conversation.py"/>
        <source>All questions…</source>
        <translation>Alle Fragen…</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>WebRAG ran into an unexpected error</source>
        <translation>In WebRAG ist ein unerwarteter Fehler aufgetreten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>You can continue working. If the error happens again, restart WebRAG and report the text below. WebRAG does not send it.</source>
        <translation>Sie können weiterarbeiten. Tritt der Fehler wieder auf, starten Sie WebRAG neu und melden Sie den Text unten. WebRAG sendet ihn nicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>Error report</source>
        <translation>Fehlerbericht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>Open log folder</source>
        <translation>Protokolle öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/defects.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DataFolderDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>WebRAG cannot write to its data folder</source>
        <translation>WebRAG kann in seinen Datenordner nicht schreiben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>The data folder was set when WebRAG was started, so your choice applies until you quit.</source>
        <translation>Der Datenordner wurde beim Start von WebRAG vorgegeben. Ihre Auswahl gilt daher nur bis zum Beenden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>WebRAG uses the new folder from now on, also for the command line and for assistants started later.</source>
        <translation>WebRAG verwendet ab jetzt den neuen Ordner, auch für die Befehlszeile und für später gestartete Assistenten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>If the folder contains a library, WebRAG opens it. To keep using your current library, copy {} from the old folder first.</source>
        <translation>Wenn der Ordner eine Bibliothek enthält, öffnet WebRAG sie. Um Ihre bisherige Bibliothek weiterzuverwenden, kopieren Sie zuerst {} aus dem alten Ordner.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Choose another folder…</source>
        <translation>Anderen Ordner wählen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Use default folder</source>
        <translation>Standardordner verwenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Choose the data folder</source>
        <translation>Datenordner wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Cannot use {}: {}.</source>
        <translation>{} kann nicht verwendet werden: {}.</translation>
    </message>
</context>
<context>
    <name>DeleteDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Delete data</source>
        <translation>Daten löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>This cannot be undone unless you have your own backup.</source>
        <translation>Das lässt sich nur mit einer eigenen Sicherung rückgängig machen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Pages, activity, jobs, pinned passages and earlier libraries</source>
        <translation>Seiten, Aktivität, Aufträge, angeheftete Textstellen und frühere Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Log files</source>
        <translation>Protokolldateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Current and earlier log files</source>
        <translation>Aktuelle und frühere Protokolldateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Provider keys and the access token, also in the keyring</source>
        <translation>Schlüssel der Anbieter und das Zugangstoken, auch im Schlüsselbund</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Reset all settings to their defaults</source>
        <translation>Alle Einstellungen auf die Vorgaben zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>delete</source>
        <translation>löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Type “{}” to confirm</source>
        <translation>Zur Bestätigung „{}“ eingeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Delete permanently</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Delete WebRAG data from this computer?</source>
        <translation>Daten von WebRAG auf diesem Computer löschen?</translation>
    </message>
</context>
<context>
    <name>DesktopApp</name>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Server address copied</source>
        <translation>Serveradresse kopiert</translation>
    </message>
</context>
<context>
    <name>DetailModels</name>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Message {}</source>
        <translation>Nachricht {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Attachment {}</source>
        <translation>Anhang {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Page {}</source>
        <translation>Seite {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Slide {}</source>
        <translation>Folie {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Cell {}</source>
        <translation>Zelle {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Line {}</source>
        <translation>Zeile {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>rows {}–{}</source>
        <translation>Zeilen {}–{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Rows {}–{}</source>
        <translation>Zeilen {}–{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Heading</source>
        <translation>Überschrift</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Characters {} of the page</source>
        <translation>Zeichen {} der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>keyword</source>
        <translation>Schlüsselwort</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>keyword, semantic</source>
        <translation>Schlüsselwort, semantisch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Not embedded yet: found by keyword search only</source>
        <translation>Noch nicht eingebettet: nur über die Schlüsselwortsuche auffindbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Embedded: found by keyword and semantic search</source>
        <translation>Eingebettet: über Schlüsselwortsuche und semantische Suche auffindbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>characters {}</source>
        <translation>Zeichen {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>keyword search only</source>
        <translation>nur Schlüsselwortsuche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>keyword and semantic search</source>
        <translation>Schlüsselwortsuche und semantische Suche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>heading or fence repeated for context</source>
        <translation>Überschrift oder Beginn eines Codeblocks zur Einordnung wiederholt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Link text</source>
        <translation>Linktext</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Site</source>
        <translation>Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>DiagnosticsRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>on for {}</source>
        <translation>noch {} an</translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>line {}</source>
        <translation>Zeile {}</translation>
    </message>
</context>
<context>
    <name>DocumentFacts</name>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>None</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Identifies this page. Assistants cite this address.</source>
        <translation>Kennzeichnet diese Seite. Assistenten zitieren diese Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>The site or folder of the page</source>
        <translation>Die Website oder der Ordner der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>What may be missing from the text</source>
        <translation>Was im Text fehlen könnte</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Age</source>
        <translation>Alter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Safety</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Flags</source>
        <translation>Auffälliges</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Possible prompt injections, and links that could leak data</source>
        <translation>Mögliche Prompt Injections und Links, die Daten nach außen tragen könnten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>In the library</source>
        <translation>In der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Fetched</source>
        <translation>Abgerufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>When the page was last fetched</source>
        <translation>Wann die Seite zuletzt abgerufen wurde</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Text changed</source>
        <translation>Text geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Last time the text changed</source>
        <translation>Wann sich der Text zuletzt geändert hat</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Last modified</source>
        <translation>Zuletzt geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>From the site or file</source>
        <translation>Von der Website oder aus der Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Last cited</source>
        <translation>Zuletzt zitiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>When an assistant last received a passage of this page</source>
        <translation>Wann ein Assistent zuletzt eine Textstelle dieser Seite erhalten hat</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Entity tag</source>
        <translation>Entity-Tag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Used by the site to detect changes (ETag)</source>
        <translation>Damit erkennt die Website Änderungen (ETag)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{} characters</source>
        <translation>{} Zeichen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{characters}, {tokens}, {bytes}</source>
        <translation>{characters}, {tokens}, {bytes}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>State</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Whether the whole page is found by semantic search</source>
        <translation>Ob die semantische Suche die ganze Seite findet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Length in tokens, the unit that assistants count in. One token is about four characters.</source>
        <translation>Länge in Token, der Einheit, in der Assistenten zählen. Ein Token entspricht etwa vier Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{} total, {} embedded</source>
        <translation>{} insgesamt, {} eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>The parts of the page that WebRAG searches. Keyword search finds all of them, semantic search the embedded ones.</source>
        <translation>Die Teile der Seite, die WebRAG durchsucht. Die Schlüsselwortsuche findet alle, die semantische Suche die eingebetteten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Sections</source>
        <translation>Kapitel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>The library contains their descriptions, and the images too if Settings &gt; Storage saves them</source>
        <translation>Die Bibliothek enthält ihre Beschreibungen und auch die Bilder, wenn das unter Einstellungen &gt; Speicher eingeschaltet ist</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Content hash</source>
        <translation>Prüfsumme</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Texts with the same hash are identical. WebRAG checks quotes against it.</source>
        <translation>Texte mit gleichem Hash sind identisch. WebRAG prüft damit Zitate.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{} ({})</source>
        <translation>{} ({})</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>Not yet</source>
        <translation>Noch nicht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{}, unchanged since</source>
        <translation>{}, seitdem unverändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>1 passage is new</source>
        <translation>1 Textstelle neu</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{} passages are new</source>
        <translation>{} Textstellen neu</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document.py"/>
        <source>{}, since then {}</source>
        <translation>{}, seitdem {}</translation>
    </message>
</context>
<context>
    <name>DocumentPane</name>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Page has not changed</source>
        <translation>Seite hat sich nicht geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Page updated</source>
        <translation>Seite hat sich geändert und wurde übernommen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Page refreshed</source>
        <translation>Seite aktualisiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Save as Markdown</source>
        <translation>Als Markdown speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Saved as {}</source>
        <translation>Gespeichert als {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Page text</source>
        <translation>Seitentext</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Copied: {}</source>
        <translation>Kopiert: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Back to the list</source>
        <translation>Zurück zur Liste</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Read in full window</source>
        <translation>Im ganzen Fenster lesen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Collections and tags</source>
        <translation>Sammlungen und Schlagwörter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Refresh page</source>
        <translation>Seite aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Save as Markdown…</source>
        <translation>Als Markdown speichern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Copy citation</source>
        <translation>Quellenangabe kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Delete page</source>
        <translation>Seite löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document.py"/>
        <source>This link does not lead to a web page: {}</source>
        <translation>Dieser Link führt nicht zu einer Webseite: {}</translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <location filename="../../app/desktop/drag_and_drop.py"/>
        <source>Drop to add</source>
        <translation>Zum Hinzufügen loslassen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/drag_and_drop.py"/>
        <source>Add to the library</source>
        <translation>Zur Bibliothek hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/drag_and_drop.py"/>
        <source>Checking the content…</source>
        <translation>Inhalt wird geprüft…</translation>
    </message>
</context>
<context>
    <name>EmbedderSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>1 stored passage</source>
        <translation>1 gespeicherte Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>{} stored passages</source>
        <translation>{} gespeicherte Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>How long this takes depends on the server.</source>
        <translation>Wie lange das dauert, hängt vom Server ab.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>After the restart, WebRAG re-embeds {} for the new model. {} Until then, it finds them by keyword only.</source>
        <translation>Nach dem Neustart bettet WebRAG {} für das neue Modell neu ein. {} Bis dahin findet es sie nur über Schlüsselwörter.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>After the restart, the new model also embeds {}, pages in other languages first. {} English questions do not wait for it.</source>
        <translation>Nach dem Neustart bettet das neue Modell {} zusätzlich ein, Seiten in anderen Sprachen zuerst. {} Englische Fragen warten nicht darauf.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>After the restart, WebRAG embeds pages in other languages again. Compact the library to delete the other model's vectors.</source>
        <translation>Nach dem Neustart bettet WebRAG Seiten in anderen Sprachen neu ein. Komprimieren Sie die Bibliothek, um die Vektoren des anderen Modells zu löschen.</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>See the log file for details.</source>
        <translation>Einzelheiten stehen in der Protokolldatei.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Invalid input</source>
        <translation>Ungültige Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Correct the value and try again.</source>
        <translation>Den Wert berichtigen und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Outside the scope</source>
        <translation>Außerhalb des Bereichs</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Omit scope.project_id, or use the project of this WebRAG.</source>
        <translation>scope.project_id weglassen oder das Projekt dieses WebRAG angeben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Collection not found</source>
        <translation>Sammlung nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Passage no longer available</source>
        <translation>Textstelle nicht mehr verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search again and use a passage ID from the new results. IDs are only valid in the connection that searched.</source>
        <translation>Erneut suchen und eine Textstellen-ID aus den neuen Ergebnissen verwenden. IDs gelten nur in der Verbindung, die gesucht hat.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Unknown passage</source>
        <translation>Unbekannte Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library not joined</source>
        <translation>Bibliothek nicht beigetreten</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Join it or turn it on in Settings &gt; Shared libraries, or with webrag shared in a terminal.</source>
        <translation>Unter Einstellungen &gt; Gemeinsame Bibliotheken oder im Terminal mit webrag shared beitreten oder einschalten.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page not found</source>
        <translation>Seite nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>It may have been withdrawn. Search the library for its topic.</source>
        <translation>Vielleicht wurde sie zurückgezogen. Suchen Sie in der Bibliothek nach ihrem Thema.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Invalid setting</source>
        <translation>Ungültige Einstellung</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Data folder not usable</source>
        <translation>Datenordner nicht verwendbar</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Start WebRAG Desktop and choose another folder, or pass a different --data-dir.</source>
        <translation>WebRAG Desktop starten und einen anderen Ordner wählen oder ein anderes --data-dir angeben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page could not be read</source>
        <translation>Seite nicht lesbar</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Site not reachable</source>
        <translation>Website nicht erreichbar</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Check that the address opens in a browser, then try again.</source>
        <translation>Prüfen, ob sich die Adresse in einem Browser öffnet, dann erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Not a web address</source>
        <translation>Keine Webadresse</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Enter a full address that starts with http:// or https://.</source>
        <translation>Eine vollständige Adresse eingeben, die mit http:// oder https:// beginnt.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Address not allowed</source>
        <translation>Adresse nicht erlaubt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>If this is your own network, allow it in Settings &gt; Crawling.</source>
        <translation>Wenn es Ihr eigenes Netz ist, unter Einstellungen &gt; Einlesen erlauben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Blocked by robots.txt</source>
        <translation>Von robots.txt gesperrt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Request this address directly to open it anyway, as a browser would.</source>
        <translation>Diese Adresse direkt anfordern, um sie trotzdem wie in einem Browser zu öffnen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page must not be indexed</source>
        <translation>Seite darf nicht indexiert werden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Sign-in or payment required</source>
        <translation>Anmeldung oder Bezahlung erforderlich</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Save the page with the browser extension (Settings &gt; Browsers), or save it as a file and add the file.</source>
        <translation>Die Seite mit der Browsererweiterung speichern (Einstellungen &gt; Browser) oder als Datei speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The site returned an error</source>
        <translation>Die Website meldet einen Fehler</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Too many requests to the site</source>
        <translation>Zu viele Anfragen an die Website</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The site has a problem</source>
        <translation>Störung der Website</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Too many redirects</source>
        <translation>Zu viele Weiterleitungen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page too large</source>
        <translation>Seite zu groß</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use a more specific page of the site.</source>
        <translation>Eine speziellere Seite derselben Website verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>File type not supported</source>
        <translation>Dateityp nicht unterstützt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>WebRAG reads Markdown, HTML, PDF, Office and OpenDocument files, e-books, notebooks, source code, email, archives and text.</source>
        <translation>WebRAG liest Markdown, HTML, PDF, Office- und OpenDocument-Dateien, E-Books, Notebooks, Quellcode, E-Mail, Archive und Text.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Damaged file</source>
        <translation>Beschädigte Datei</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The site took too long to respond</source>
        <translation>Die Website antwortet nicht rechtzeitig</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again, or increase the page timeout in Settings &gt; Crawling.</source>
        <translation>Erneut versuchen oder das Zeitlimit für Seiten unter Einstellungen &gt; Einlesen erhöhen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The page is still being read</source>
        <translation>Die Seite wird noch gelesen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>No readable text on this page</source>
        <translation>Kein lesbarer Text auf dieser Seite</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The page may need JavaScript. Try a print or plain-text version of it.</source>
        <translation>Die Seite braucht vielleicht JavaScript. Eine Druck- oder Textfassung versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>No readable text in this file</source>
        <translation>Kein lesbarer Text in dieser Datei</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Check that the file opens in its program and contains text. WebRAG does not read text in images.</source>
        <translation>Prüfen Sie, ob sich die Datei in ihrem Programm öffnen lässt und Text enthält. Text in Bildern liest WebRAG nicht.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page needs JavaScript</source>
        <translation>Seite braucht JavaScript</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Could not render the page</source>
        <translation>Seite konnte nicht gerendert werden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again, or save the page with the browser extension (Settings &gt; Browsers).</source>
        <translation>Erneut versuchen oder die Seite mit der Browsererweiterung speichern (Einstellungen &gt; Browser).</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Could not read the file safely</source>
        <translation>Datei konnte nicht sicher gelesen werden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The file may be damaged. Try a smaller or simpler version of it.</source>
        <translation>Die Datei ist womöglich beschädigt. Eine kleinere oder einfachere Fassung versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Web search failed</source>
        <translation>Websuche fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again in a minute, or choose another provider in Settings &gt; Search provider.</source>
        <translation>In einer Minute erneut versuchen oder unter Einstellungen &gt; Suchanbieter einen anderen Anbieter wählen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Web search is not set up</source>
        <translation>Websuche nicht eingerichtet</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>API key rejected</source>
        <translation>API-Schlüssel abgelehnt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search not possible</source>
        <translation>Suche nicht möglich</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use a shorter query, a two-letter country code as region, and a language code such as en or pt-BR.</source>
        <translation>Eine kürzere Anfrage, einen Ländercode aus zwei Buchstaben als Region und einen Sprachcode wie en oder pt-BR verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search limit reached</source>
        <translation>Suchlimit erreicht</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search timed out</source>
        <translation>Zeitlimit der Suche überschritten</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>File or folder not accessible</source>
        <translation>Kein Zugriff auf Datei oder Ordner</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Check that it exists, that you can read it, and that it is not a link to another location.</source>
        <translation>Prüfen, ob das Ziel vorhanden und lesbar ist und nicht auf einen anderen Ort verweist.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Job not found</source>
        <translation>Auftrag nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Activity &gt; Jobs, status without arguments, and webrag jobs in a terminal list all jobs.</source>
        <translation>Alle Aufträge zeigen Aktivität &gt; Aufträge, status ohne Argumente und webrag jobs im Terminal.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Cannot open the library</source>
        <translation>Bibliothek lässt sich nicht öffnen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Run webrag verify in a terminal to find the cause.</source>
        <translation>Im Terminal webrag verify ausführen, um die Ursache zu finden.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library damaged</source>
        <translation>Bibliothek beschädigt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Restore the latest backup or repair the library in Settings &gt; Storage, or with webrag restore in a terminal.</source>
        <translation>Unter Einstellungen &gt; Speicher oder im Terminal mit webrag restore die neueste Sicherung wiederherstellen oder die Bibliothek reparieren.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Disk full</source>
        <translation>Datenträger voll</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Free some disk space. WebRAG then continues automatically.</source>
        <translation>Speicherplatz freigeben. WebRAG macht dann automatisch weiter.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library created by a newer version</source>
        <translation>Bibliothek einer neueren Version</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Update WebRAG Desktop, or start it with a different data directory (--data-dir).</source>
        <translation>WebRAG Desktop aktualisieren oder mit einem anderen Datenordner (--data-dir) starten.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Damaged copy of a library</source>
        <translation>Beschädigte Kopie einer Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Quit WebRAG before you copy its folder, or restore a backup.</source>
        <translation>WebRAG vor dem Kopieren des Ordners beenden oder eine Sicherung wiederherstellen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library is being updated</source>
        <translation>Bibliothek wird aktualisiert</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again in a minute. No page is lost.</source>
        <translation>In einer Minute erneut versuchen. Es geht keine Seite verloren.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library busy</source>
        <translation>Bibliothek belegt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again in a few seconds.</source>
        <translation>In einigen Sekunden erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library not reachable</source>
        <translation>Bibliothek nicht erreichbar</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Check that the database server is running and reachable. WebRAG reconnects automatically.</source>
        <translation>Prüfen, ob der Datenbankserver läuft und erreichbar ist. WebRAG verbindet sich dann automatisch neu.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Access denied by the library</source>
        <translation>Bibliothek verweigert den Zugriff</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Ask an owner of the collection or the administrator of the library.</source>
        <translation>An den Besitzer der Sammlung oder den Administrator der Bibliothek wenden.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Ask your database administrator for the role webrag_node, or webrag_owner to run init and migrate.</source>
        <translation>Den Datenbankadministrator um die Rolle webrag_node bitten, für init und migrate um webrag_owner.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Sign in to the library</source>
        <translation>An der Bibliothek anmelden</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Sign in again in Settings &gt; Shared libraries, or with webrag shared join in a terminal.</source>
        <translation>Unter Einstellungen &gt; Gemeinsame Bibliotheken oder im Terminal mit webrag shared join erneut anmelden.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Ask the library's administrator for the access token and enter it.</source>
        <translation>Den Administrator der Bibliothek um das Zugangstoken bitten und es eingeben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search model not available</source>
        <translation>Suchmodell nicht verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Reinstall WebRAG, or choose another model in Settings &gt; Search model.</source>
        <translation>WebRAG neu installieren oder unter Einstellungen &gt; Suchmodell ein anderes Modell wählen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search model not added</source>
        <translation>Suchmodell nicht hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The current model stays in use.</source>
        <translation>Das bisherige Modell bleibt in Gebrauch.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Library uses a different search model</source>
        <translation>Bibliothek verwendet ein anderes Suchmodell</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>WebRAG is re-embedding your pages. Until it is done, it finds them by keyword only.</source>
        <translation>WebRAG bettet Ihre Seiten neu ein. Bis dahin findet es sie nur über Schlüsselwörter.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Graph turned off</source>
        <translation>Graph ausgeschaltet</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Turn it on in Settings &gt; Graph. Until then, use kb.search.</source>
        <translation>Unter Einstellungen &gt; Graph einschalten. Bis dahin kb.search verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Already running</source>
        <translation>Läuft bereits</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use the running WebRAG, or pass a different --data-dir.</source>
        <translation>Das laufende WebRAG verwenden oder ein anderes --data-dir angeben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Start WebRAG Desktop, or run webrag serve in a terminal.</source>
        <translation>WebRAG Desktop starten oder im Terminal webrag serve ausführen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Resume WebRAG in its window or tray menu, then try again.</source>
        <translation>WebRAG im Fenster oder im Menü des Infobereichs fortsetzen, dann erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Busy</source>
        <translation>Ausgelastet</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Wait the given number of seconds, then call again.</source>
        <translation>Die angegebenen Sekunden warten und erneut aufrufen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Timed out</source>
        <translation>Zeit abgelaufen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Retry with expansion_budget=0, or request a more specific page.</source>
        <translation>Mit expansion_budget=0 wiederholen oder eine speziellere Seite angeben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Assistant configuration not changed</source>
        <translation>Konfiguration des Assistenten nicht geändert</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Repair the file manually, then try again.</source>
        <translation>Die Datei manuell reparieren, dann erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Browser not paired</source>
        <translation>Browser nicht gekoppelt</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Show a new code in Settings &gt; Browsers and enter it in the extension.</source>
        <translation>Unter Einstellungen &gt; Browser einen neuen Code anzeigen und in der Erweiterung eingeben.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Update check failed</source>
        <translation>Suche nach Updates fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Nothing was changed.</source>
        <translation>Es wurde nichts geändert.</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Could not change start at login</source>
        <translation>Start bei der Anmeldung nicht geändert</translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again, or change it in your system settings.</source>
        <translation>Erneut versuchen oder in den Systemeinstellungen ändern.</translation>
    </message>
    <message>
        <location filename="../../app/autostart.py"/>
        <source>Install WebRAG in a folder with a shorter path.</source>
        <translation>WebRAG in einem Ordner mit kürzerem Pfad installieren.</translation>
    </message>
    <message>
        <location filename="../../app/autostart.py"/>
        <source>Check your permissions for this folder.</source>
        <translation>Die Schreibrechte für diesen Ordner prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>Remove an unused one.</source>
        <translation>Einen nicht benutzten entfernen.</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>Enter the code that WebRAG shows.</source>
        <translation>Den Code eingeben, den WebRAG anzeigt.</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>Check the permissions of the data folder.</source>
        <translation>Die Berechtigungen des Datenordners prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/addresses.py"/>
        <source>No change is needed.</source>
        <translation>Es ist keine Änderung nötig.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Add the entry manually.</source>
        <translation>Den Eintrag manuell hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Check its permissions.</source>
        <translation>Die Berechtigungen prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Save the file as UTF-8.</source>
        <translation>Die Datei als UTF-8 speichern.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Review the change, then try again.</source>
        <translation>Die Änderung prüfen und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Connect the assistant again.</source>
        <translation>Den Assistenten neu verbinden.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Turn it on in Settings &gt; Server, then try again.</source>
        <translation>Unter Einstellungen &gt; Server einschalten und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>Install and start it once, or run webrag register --force in a terminal.</source>
        <translation>Den Assistenten installieren und einmal starten oder im Terminal webrag register --force ausführen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>Check the permissions of its folder.</source>
        <translation>Die Berechtigungen des Ordners prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>Enter the path relative to the folder, with "/" between the parts, such as guide/install.md.</source>
        <translation>Den Pfad relativ zum Ordner angeben, mit „/“ zwischen den Teilen, etwa guide/install.md.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/checks.py"/>
        <source>Reinstall the application.</source>
        <translation>Die Anwendung neu installieren.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Grant this user read and write access to the file and its folder, or choose another data folder.</source>
        <translation>Geben Sie diesem Benutzer Lese- und Schreibrechte für die Datei und ihren Ordner, oder wählen Sie einen anderen Datenordner.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Check the folder and its permissions.</source>
        <translation>Den Ordner und seine Berechtigungen prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Put the file back if you moved it, then restart WebRAG.</source>
        <translation>Legen Sie die Datei zurück, wenn Sie sie verschoben haben, und starten Sie WebRAG dann neu.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/docsets.py"/>
        <source>Download the docset again.</source>
        <translation>Laden Sie das Docset erneut herunter.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>Add the folder again.</source>
        <translation>Den Ordner erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>Add the package again.</source>
        <translation>Das Paket erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/folders.py"/>
        <source>Choose another name.</source>
        <translation>Einen anderen Namen wählen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/folders.py"/>
        <source>Choose another name. The command webrag folder list shows all names.</source>
        <translation>Wählen Sie einen anderen Namen. Der Befehl webrag folder list zeigt alle Namen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>Check the spelling.</source>
        <translation>Prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>Create it first, or leave it out.</source>
        <translation>Legen Sie den Eintrag zuerst an, oder lassen Sie ihn weg.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>Type the name instead of pasting it. Use only simple emoji: families and flags contain invisible characters.</source>
        <translation>Tippen Sie den Namen, statt ihn einzufügen. Verwenden Sie nur einfache Emojis: Familien und Flaggen enthalten unsichtbare Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>Delete one first.</source>
        <translation>Zuerst eines löschen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>Remove the page from some of them first.</source>
        <translation>Entfernen Sie die Seite zuerst aus einigen davon.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Free some space, or choose another location.</source>
        <translation>Geben Sie Speicherplatz frei, oder wählen Sie einen anderen Speicherort.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Choose another data folder (--data-dir).</source>
        <translation>Wählen Sie einen anderen Datenordner (--data-dir).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Move the file to another folder and add its pages again.</source>
        <translation>Verschieben Sie die Datei in einen anderen Ordner, und fügen Sie ihre Seiten erneut hinzu.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Choose another location.</source>
        <translation>Wählen Sie einen anderen Speicherort.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/questions.py"/>
        <source>Erase the questions in Settings &gt; Privacy. This does not change the library.</source>
        <translation>Löschen Sie die Fragen unter Einstellungen &gt; Datenschutz. Die Bibliothek bleibt unverändert.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Restore another backup, or save the readable pages: Settings &gt; Storage, or webrag restore in a terminal.</source>
        <translation>Stellen Sie eine andere Sicherung wieder her, oder retten Sie die lesbaren Seiten: Einstellungen &gt; Speicher oder webrag restore in einem Terminal.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Choose a file that WebRAG created as a backup.</source>
        <translation>Wählen Sie eine Datei, die WebRAG als Sicherung erstellt hat.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Free some disk space.</source>
        <translation>Geben Sie Speicherplatz frei.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Nothing has changed. Choose another backup.</source>
        <translation>Es wurde nichts geändert. Wählen Sie eine andere Sicherung.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Choose another backup.</source>
        <translation>Wählen Sie eine andere Sicherung.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Choose a backup of it.</source>
        <translation>Wählen Sie eine Sicherung davon.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>Restore a backup.</source>
        <translation>Eine Sicherung wiederherstellen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>Choose corpus.db or a backup.</source>
        <translation>Wählen Sie corpus.db oder eine Sicherung.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>Restore the latest automatic backup or another one: Settings &gt; Storage, or webrag restore in a terminal.</source>
        <translation>Stellen Sie die neueste automatische Sicherung oder eine andere wieder her: Einstellungen &gt; Speicher oder webrag restore in einem Terminal.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/versions.py"/>
        <source>Refresh the page, or restore a backup.</source>
        <translation>Aktualisieren Sie die Seite, oder stellen Sie eine Sicherung wieder her.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/__main__.py"/>
        <source>Quit it from its tray menu, then try again.</source>
        <translation>Über das Menü im Infobereich beenden und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/backend.py"/>
        <source>Choose another port in Settings, or quit the program that uses this one.</source>
        <translation>In den Einstellungen einen anderen Port wählen oder das Programm beenden, das diesen belegt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Refresh the page.</source>
        <translation>Die Seite aktualisieren.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Select some of its pages in the Library and share them in several steps.</source>
        <translation>Wählen Sie einige ihrer Seiten in der Bibliothek aus und teilen Sie sie in mehreren Schritten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Open it in the browser, or add it again.</source>
        <translation>Die Seite im Browser öffnen oder erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>If it is on another disk, connect the disk. WebRAG keeps the pages until the files are back.</source>
        <translation>Liegt er auf einem anderen Datenträger, diesen anschließen. WebRAG behält die Seiten, bis die Dateien wieder da sind.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Check that its disk is connected and that you have permission to read it.</source>
        <translation>Prüfen, ob der Datenträger angeschlossen und der Ordner lesbar ist.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Restore the file or grant read access. WebRAG checks it again automatically.</source>
        <translation>Die Datei wiederherstellen oder Lesezugriff gewähren. WebRAG prüft sie automatisch erneut.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>Use one of its headings, or leave out sections for the whole page.</source>
        <translation>Eine Überschrift der Seite verwenden oder die Auswahl weglassen, um die ganze Seite zu lesen.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>Request an earlier part.</source>
        <translation>Einen früheren Teil anfordern.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>Include the folder in the path.</source>
        <translation>Den Ordner im Pfad mit angeben.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Use a shorter question or a few keywords.</source>
        <translation>Eine kürzere Frage oder wenige Schlüsselwörter verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Choose another file name.</source>
        <translation>Einen anderen Dateinamen wählen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>It may run another model now. Restart WebRAG to use that model.</source>
        <translation>Dort läuft möglicherweise jetzt ein anderes Modell. WebRAG neu starten, um es zu verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>Check the address and model in Settings &gt; Search model, and the key in Settings &gt; API keys.</source>
        <translation>Adresse und Modell unter Einstellungen &gt; Suchmodell und den Schlüssel unter Einstellungen &gt; API-Schlüssel prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Rename the folder.</source>
        <translation>Den Ordner umbenennen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Remove it first to add it again.</source>
        <translation>Zuerst entfernen, dann erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Choose another model first.</source>
        <translation>Zuerst ein anderes Modell wählen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Free some space on this disk.</source>
        <translation>Auf diesem Laufwerk Speicherplatz freigeben.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Try again: the download continues where it stopped.</source>
        <translation>Erneut versuchen: Der Download wird fortgesetzt.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Use another address or folder for the files. The current model stays in use.</source>
        <translation>Eine andere Adresse oder einen anderen Ordner für die Dateien verwenden. Das bisherige Modell bleibt in Gebrauch.</translation>
    </message>
    <message>
        <location filename="../../app/embed/preparing.py"/>
        <source>Repair this folder, or choose another model in Settings &gt; Search model.</source>
        <translation>Diesen Ordner reparieren oder in Einstellungen &gt; Suchmodell ein anderes Modell wählen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>Choose a new file name.</source>
        <translation>Einen neuen Dateinamen wählen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>Set it up once: webrag admin init.</source>
        <translation>Einmal einrichten: webrag admin init.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>Administrators create its collections with webrag admin collection.</source>
        <translation>Administratoren legen ihre Sammlungen mit webrag admin collection an.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>Ask the user to add pages to it on the Library page of WebRAG.</source>
        <translation>Den Benutzer bitten, auf der Seite „Bibliothek“ von WebRAG Seiten hinzuzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/erasing.py"/>
        <source>Delete it manually.</source>
        <translation>Manuell löschen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Pass at least one URL, or use search to query stored pages.</source>
        <translation>Mindestens eine URL angeben oder gespeicherte Seiten mit search durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Leave out the collection. The user adds pages to private collections in the window.</source>
        <translation>Die Sammlung weglassen. Seiten werden privaten Sammlungen im Fenster hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Use the address of a node.</source>
        <translation>Die Adresse eines Knotens verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>Ask again in 30 s, or ask only the private library.</source>
        <translation>In 30 s erneut fragen oder nur die private Bibliothek durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/lifecycle.py"/>
        <source>Start it first.</source>
        <translation>Zuerst starten.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>Look for updates on the project's page.</source>
        <translation>Auf der Projektseite nach Updates suchen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>Change it in Settings &gt; About.</source>
        <translation>Unter Einstellungen &gt; Über ändern.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>Try again later, or look at the project's page.</source>
        <translation>Später erneut versuchen oder auf der Seite des Projekts nachsehen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>See the reason above.</source>
        <translation>Der Grund steht oben.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>Set its address in Settings &gt; Search model.</source>
        <translation>Seine Adresse unter Einstellungen &gt; Suchmodell festlegen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>Set all three variables.</source>
        <translation>Alle drei Variablen setzen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>Use up to 63 lowercase letters, digits and hyphens, starting with a letter or digit.</source>
        <translation>Höchstens 63 Kleinbuchstaben, Ziffern und Bindestriche verwenden, beginnend mit einem Buchstaben oder einer Ziffer.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Install the packages of the project, or add it with --download.</source>
        <translation>Die Pakete des Projekts installieren oder es mit --download hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Name a site of exactly this version: webrag packages add NAME@VERSION --site URL.</source>
        <translation>Nennen Sie eine Website genau dieser Version: webrag packages add NAME@VERSION --site URL.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Add the project in the window or with webrag packages scan FOLDER. Or name the registry and version: pypi/flask@3.1.3.</source>
        <translation>Das Projekt im Fenster oder mit webrag packages scan FOLDER hinzufügen. Oder Registry und Version nennen: pypi/flask@3.1.3.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Add them to the private library.</source>
        <translation>Sie der privaten Bibliothek hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Add the project again if you moved it, or forget it.</source>
        <translation>Das Projekt erneut hinzufügen, falls es verschoben wurde, oder „Projekt vergessen“ wählen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Ask the user to add it on the page Packages, or to change Settings &gt; Tools.</source>
        <translation>Sie können es auf der Seite „Pakete“ hinzufügen oder Einstellungen &gt; Werkzeuge ändern.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Ask the user to add the project on the page Packages, or to change Settings &gt; Tools.</source>
        <translation>Sie können das Projekt auf der Seite „Pakete“ hinzufügen oder Einstellungen &gt; Werkzeuge ändern.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Open the address in a browser, and check it.</source>
        <translation>Öffnen Sie die Adresse in einem Browser, und prüfen Sie sie.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Remove packages that you no longer need.</source>
        <translation>Nicht mehr benötigte Pakete entfernen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>Ask an owner of the collection to delete it.</source>
        <translation>Bitten Sie einen Besitzer der Sammlung, sie zu löschen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>Ask an owner of the collection.</source>
        <translation>Fragen Sie einen Besitzer der Sammlung.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>Start again from the first page.</source>
        <translation>Auf der ersten Seite neu beginnen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>Another user changed or deleted it. Refresh the list.</source>
        <translation>Ein anderer Benutzer hat sie geändert oder gelöscht. Die Liste neu laden.</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>Check that the address opens in a browser, or that the file is not empty.</source>
        <translation>Prüfen, ob sich die Adresse im Browser öffnet oder die Datei nicht leer ist.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>Crawl the site to read the pages that it lists.</source>
        <translation>Die Website einlesen, um die Seiten zu lesen, die dort aufgeführt sind.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>Use the address of a page on the site instead.</source>
        <translation>Stattdessen die Adresse einer Seite der Website verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>Use that address instead.</source>
        <translation>Stattdessen diese Adresse verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>Use the address of the frame with the text.</source>
        <translation>Die Adresse des Frames mit dem Text verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/extract/messages.py"/>
        <source>Save the page again as a single file, then add that file.</source>
        <translation>Die Seite erneut als einzelne Datei speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/messages.py"/>
        <source>Save it as .eml in your mail program and add that file.</source>
        <translation>Im Mailprogramm als .eml speichern und diese Datei hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/notebook.py"/>
        <source>Open the notebook in Jupyter and save it, then add it again.</source>
        <translation>Das Notebook in Jupyter öffnen, speichern und erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/binary_workbook.py"/>
        <source>Open the file in its program and save it as .xlsx, then add that file.</source>
        <translation>Die Datei in ihrem Programm öffnen, als .xlsx speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/book.py"/>
        <source>Get a copy without copy protection, then add that file.</source>
        <translation>Ein Exemplar ohne Kopierschutz beschaffen und diese Datei hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/package.py"/>
        <source>Split the file into smaller ones, then add those.</source>
        <translation>Die Datei in kleinere aufteilen und diese hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/package.py"/>
        <source>Remove the password in the file's program, then add the file again.</source>
        <translation>Das Passwort im Programm der Datei entfernen und die Datei erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/package.py"/>
        <source>Open the file in its program and save it, then add it again.</source>
        <translation>Die Datei in ihrem Programm öffnen, speichern und erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>Open it in Word or LibreOffice, save it as .docx and add that file.</source>
        <translation>In Word oder LibreOffice öffnen, als .docx speichern und diese Datei hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>Open it in PowerPoint or LibreOffice, save it as .pptx and add that file.</source>
        <translation>In PowerPoint oder LibreOffice öffnen, als .pptx speichern und diese Datei hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>Save it in a current format, such as .docx or .pptx, then add that file.</source>
        <translation>Die Datei in einem aktuellen Format wie .docx oder .pptx speichern und diese hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Open the file in a PDF program and save it, then add it again.</source>
        <translation>Die Datei in einem PDF-Programm öffnen, speichern und erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Run text recognition (OCR) on the file, then add it again.</source>
        <translation>Die Texterkennung (OCR) auf die Datei anwenden und sie erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Remove the password in a PDF program, then add the file again.</source>
        <translation>Das Passwort in einem PDF-Programm entfernen und die Datei erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/rich_text.py"/>
        <source>Save the file as RTF again.</source>
        <translation>Datei erneut als RTF speichern.</translation>
    </message>
    <message>
        <location filename="../../app/extract/source.py"/>
        <source>Add the file that it was generated from.</source>
        <translation>Die Datei hinzufügen, aus der sie erzeugt wurde.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Start the crawl at a page that the site allows programs to read.</source>
        <translation>Mit einer Seite beginnen, die die Website für Programme freigibt.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Import the list again.</source>
        <translation>Die Liste erneut importieren.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>Exclude their parent folders instead.</source>
        <translation>Stattdessen die übergeordneten Ordner ausschließen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>Enter the folder in the form /archive/.</source>
        <translation>Den Ordner in der Form /archiv/ angeben.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>Start a new crawl.</source>
        <translation>Einen neuen Durchlauf starten.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>Preview the page first.</source>
        <translation>Die Seite zuerst in der Vorschau öffnen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>Split the file into smaller ones.</source>
        <translation>Die Datei in kleinere aufteilen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>Use the full path of the file itself.</source>
        <translation>Den vollständigen Pfad der Datei selbst verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>Connect its disk. If the folder is empty on purpose, remove it from WebRAG.</source>
        <translation>Den Datenträger anschließen. Ist der Ordner absichtlich leer, ihn aus WebRAG entfernen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>WebRAG tries again when the file changes.</source>
        <translation>WebRAG versucht es erneut, sobald sich die Datei ändert.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>Restore the file. WebRAG then indexes it automatically.</source>
        <translation>Die Datei wiederherstellen. WebRAG indexiert sie dann automatisch.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Choose the folder that contains the file.</source>
        <translation>Den Ordner wählen, der die Datei enthält.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Grant read access to the folder.</source>
        <translation>Lesezugriff auf den Ordner gewähren.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Remove the folder, then add it again with its full path.</source>
        <translation>Den Ordner entfernen und mit vollständigem Pfad erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Add a folder inside it, for example the one with your notes.</source>
        <translation>Einen Ordner darin hinzufügen, zum Beispiel den mit Ihren Notizen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Split the list into smaller ones.</source>
        <translation>Die Liste in kleinere aufteilen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Add it first.</source>
        <translation>Den Ordner zuerst hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Add it to your private library, then share its pages.</source>
        <translation>Zur privaten Bibliothek hinzufügen und die Seiten von dort teilen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Add it again to index its files.</source>
        <translation>Den Ordner erneut hinzufügen, um seine Dateien zu indexieren.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>WebRAG already indexes its files. You do not need to add it.</source>
        <translation>WebRAG indexiert die Dateien bereits. Hinzufügen ist nicht nötig.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>Add the file or its folder on the Library page. Activity &gt; Jobs shows why a file of an added folder was not read.</source>
        <translation>Fügen Sie die Datei oder ihren Ordner auf der Seite Bibliothek hinzu. Aktivität &gt; Aufträge zeigt, warum eine Datei eines hinzugefügten Ordners nicht gelesen wurde.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>Search the documentation of the package, or add it: webrag packages add NAME.</source>
        <translation>Dokumentation des Pakets durchsuchen oder hinzufügen: webrag packages add NAME.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>Check the spelling, or search the guide.</source>
        <translation>Schreibweise prüfen oder die Anleitung durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>Add the page again if you still need it.</source>
        <translation>Die Seite bei Bedarf erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>Restart WebRAG, then try again.</source>
        <translation>WebRAG neu starten und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Retry it, or start a new one.</source>
        <translation>Den Auftrag wiederholen oder einen neuen starten.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Wait until some have finished, or cancel some.</source>
        <translation>Warten, bis einige fertig sind, oder einige abbrechen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Start a new job to index everything again.</source>
        <translation>Einen neuen Auftrag starten, um alles erneut zu indexieren.</translation>
    </message>
    <message>
        <location filename="../../app/instance.py"/>
        <source>Wait until it finishes, or stop it with Ctrl+C. Then try again.</source>
        <translation>Warten, bis er fertig ist, oder ihn mit Strg+C beenden. Danach erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/instance.py"/>
        <source>Turn it on in Settings &gt; Server, or with webrag settings, then start WebRAG again.</source>
        <translation>Schalten Sie ihn unter Einstellungen &gt; Server oder mit webrag settings ein. Starten Sie WebRAG dann neu.</translation>
    </message>
    <message>
        <location filename="../../app/instance.py"/>
        <source>Open its window, which shows the reason and what to do.</source>
        <translation>Öffnen Sie das Fenster von WebRAG. Es zeigt den Grund und was zu tun ist.</translation>
    </message>
    <message>
        <location filename="../../app/instance.py"/>
        <source>Try again in a moment, or stop that process.</source>
        <translation>Gleich erneut versuchen oder diesen Prozess beenden.</translation>
    </message>
    <message>
        <location filename="../../app/library/copying.py"/>
        <source>Use --without-vectors; the nodes then embed the pages again.</source>
        <translation>Verwenden Sie --without-vectors; die Knoten berechnen die Vektoren dann neu.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>Write flask, flask@3.1.3 or pypi/flask@3.1.3.</source>
        <translation>flask, flask@3.1.3 oder pypi/flask@3.1.3 schreiben.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>Name one of them, with its version.</source>
        <translation>Eines davon mit seiner Version nennen.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/question.py"/>
        <source>Ask only the question, and move background to known_context.</source>
        <translation>Nur die Frage stellen und Hintergrund in known_context angeben.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/question.py"/>
        <source>Pass the words to search for.</source>
        <translation>Die Suchwörter angeben.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/question.py"/>
        <source>Ask for one thing in a few words.</source>
        <translation>Mit wenigen Wörtern nach einer einzigen Sache fragen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>Install the packages of the project, then add it again.</source>
        <translation>Die Pakete des Projekts installieren, dann erneut hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>Do not install this version before you know why. Create the lock file again if it is outdated.</source>
        <translation>Diese Version nicht installieren, bevor der Grund bekannt ist. Die Lockdatei neu erzeugen, falls sie veraltet ist.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>Choose a folder NAME.docset, or its .tgz file.</source>
        <translation>Wählen Sie einen Ordner NAME.docset oder dessen .tgz-Datei.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>WebRAG cannot read compressed docsets of Dash. Choose the .tgz file of the docset.</source>
        <translation>WebRAG kann komprimierte Docsets von Dash nicht lesen. Wählen Sie die .tgz-Datei des Docsets.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>Add it without a version, or choose the docset of this version.</source>
        <translation>Fügen Sie es ohne Version hinzu, oder wählen Sie das Docset dieser Version.</translation>
    </message>
    <message>
        <location filename="../../app/packages/manifests.py"/>
        <source>Check that you have permission to read it.</source>
        <translation>Prüfen, ob Sie sie lesen dürfen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/manifests.py"/>
        <source>Choose another project folder.</source>
        <translation>Einen anderen Projektordner auswählen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>Choose the folder with the lock file, for example uv.lock or package-lock.json.</source>
        <translation>Den Ordner mit der Lockdatei auswählen, zum Beispiel uv.lock oder package-lock.json.</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>Choose the folder of a project.</source>
        <translation>Den Ordner eines Projekts auswählen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>Check the path.</source>
        <translation>Den Pfad prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/sites.py"/>
        <source>Find the address of this version on the site, often behind a choice of versions.</source>
        <translation>Suchen Sie auf der Website die Adresse dieser Version, oft hinter einer Versionsauswahl.</translation>
    </message>
    <message>
        <location filename="../../app/packages/sites.py"/>
        <source>WebRAG needs the file objects.inv next to the start page. Crawl other sites: webrag crawl URL.</source>
        <translation>WebRAG benötigt die Datei objects.inv neben der Startseite. Andere Websites einlesen: webrag crawl URL.</translation>
    </message>
    <message>
        <location filename="../../app/paths.py"/>
        <source>Delete this file, or choose a folder with --data-dir.</source>
        <translation>Diese Datei löschen oder mit --data-dir einen Ordner wählen.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>See webrag admin collection list.</source>
        <translation>Siehe webrag admin collection list.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>Use user:ISSUER|SUBJECT or group:NAME, as in the access token.</source>
        <translation>Verwenden Sie user:ISSUER|SUBJECT oder group:NAME wie im Zugangstoken.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>Use up to 63 lowercase letters, digits, - and _, starting with a letter or digit.</source>
        <translation>Verwenden Sie höchstens 63 Kleinbuchstaben, Ziffern, - und _, beginnend mit einem Buchstaben oder einer Ziffer.</translation>
    </message>
    <message>
        <location filename="../../app/pg/jobs.py"/>
        <source>Pages stored so far are kept. A user with write access can start the job again.</source>
        <translation>Bereits gespeicherte Seiten bleiben erhalten. Ein Benutzer mit Schreibrechten kann den Auftrag erneut starten.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>Create the database with createdb NAME, then set it up with webrag admin init.</source>
        <translation>Legen Sie die Datenbank mit createdb NAME an, und richten Sie sie dann mit webrag admin init ein.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>Set it up with webrag admin init.</source>
        <translation>Richten Sie sie mit webrag admin init ein.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>Use postgresql://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD or a .pgpass file. In the address, write / ? # @ of a password as %2F %3F %23 %40.</source>
        <translation>Verwenden Sie postgresql://USER@HOST:PORT/DATABASE, mit dem Passwort in PGPASSWORD oder einer .pgpass-Datei. Schreiben Sie / ? # @ eines Passworts in der Adresse als %2F %3F %23 %40.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>Check the log of the database server.</source>
        <translation>Prüfen Sie das Protokoll des Datenbankservers.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>Check the user in the address, its password in PGPASSWORD or a .pgpass file, and pg_hba.conf.</source>
        <translation>Prüfen Sie den Benutzer in der Adresse, sein Passwort in PGPASSWORD oder einer .pgpass-Datei und pg_hba.conf.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>Private collections and tags exist only in the private library.</source>
        <translation>Private Sammlungen und Schlagwörter gibt es nur in der privaten Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Update WebRAG.</source>
        <translation>Aktualisieren Sie WebRAG.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Choose a smaller model.</source>
        <translation>Wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Use a version of WebRAG with that model, or create another library for this one. To change the model and embed every page again, run webrag admin migrate --reindex.</source>
        <translation>Verwenden Sie eine WebRAG-Version mit jenem Modell, oder legen Sie für dieses Modell eine weitere Bibliothek an. Um das Modell zu wechseln und alle Vektoren neu zu berechnen, führen Sie webrag admin migrate --reindex aus.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Run webrag admin migrate.</source>
        <translation>Führen Sie webrag admin migrate aus.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Restore it from a backup.</source>
        <translation>Stellen Sie sie aus einer Sicherung wieder her.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Restart this node with a version of WebRAG that has this model. Until then, it only supports keyword search.</source>
        <translation>Starten Sie diesen Knoten mit einer WebRAG-Version neu, die dieses Modell enthält. Bis dahin bietet er nur die Schlüsselwortsuche.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Try again when it is done.</source>
        <translation>Versuchen Sie es danach erneut.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Try again when the running backup or export has finished.</source>
        <translation>Versuchen Sie es erneut, wenn die laufende Sicherung oder der Export beendet ist.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Run it as a user who owns the database and can create roles. If this user cannot create the extension, an administrator has to run CREATE EXTENSION vector in this database first.</source>
        <translation>Führen Sie den Befehl als Benutzer aus, dem die Datenbank gehört und der Rollen anlegen kann. Kann dieser Benutzer die Erweiterung nicht anlegen, muss ein Administrator zuerst CREATE EXTENSION vector in dieser Datenbank ausführen.</translation>
    </message>
    <message>
        <location filename="../../app/pg/writing.py"/>
        <source>Ask an owner of the collection for write access.</source>
        <translation>Bitten Sie einen Besitzer der Sammlung um Schreibrechte.</translation>
    </message>
    <message>
        <location filename="../../app/pg/writing.py"/>
        <source>Choose one: collection for the tool ingest, --collection NAME for webrag ingest and webrag crawl.</source>
        <translation>Wählen Sie eine: collection beim Werkzeug ingest, --collection NAME bei webrag ingest und webrag crawl.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>Check the address, and that this computer is in the library's network.</source>
        <translation>Prüfen Sie die Adresse, und ob dieser Computer im Netzwerk der Bibliothek ist.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>Check the token, or contact the library's administrator.</source>
        <translation>Prüfen Sie das Token, oder wenden Sie sich an den Administrator der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>Update WebRAG. If this does not help, contact the library's administrator.</source>
        <translation>Aktualisieren Sie WebRAG. Hilft das nicht, wenden Sie sich an den Administrator der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Enter it in the form https://library.example.org.</source>
        <translation>Geben Sie sie in der Form https://bibliothek.example.org ein.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Ask your library's administrator for its HTTPS address.</source>
        <translation>Fragen Sie den Administrator der Bibliothek nach ihrer HTTPS-Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Leave one of them first.</source>
        <translation>Verlassen Sie zuerst eine davon.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Delete the file and join the libraries again.</source>
        <translation>Löschen Sie die Datei, und treten Sie den Bibliotheken erneut bei.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Contact the library's administrator.</source>
        <translation>Wenden Sie sich an den Administrator der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Check the free disk space and the permissions of the folder.</source>
        <translation>Prüfen Sie den freien Speicherplatz und die Rechte des Ordners.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>Check the address, or contact the library's administrator.</source>
        <translation>Prüfen Sie die Adresse, oder wenden Sie sich an den Administrator der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>Start it again when you are ready.</source>
        <translation>Beginnen Sie von Neuem, wenn Sie so weit sind.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>Start again and complete the sign-in in your browser.</source>
        <translation>Beginnen Sie erneut, und schließen Sie die Anmeldung im Browser ab.</translation>
    </message>
    <message>
        <location filename="../../app/remote/transport.py"/>
        <source>WebRAG tries again automatically. Until then, it uses your private library.</source>
        <translation>WebRAG versucht es automatisch erneut. Bis dahin verwendet es Ihre private Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/analysis.py"/>
        <source>Add at least one word to the query.</source>
        <translation>Die Anfrage um mindestens ein Wort ergänzen.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>Repeat the call with the same arguments, or without the cursor.</source>
        <translation>Den Aufruf mit denselben Argumenten oder ohne Cursor wiederholen.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>Pass ids of graph results (d12, s12.3, e345), a section_id or passage_id of kb.search, an entity, or the URL of an indexed page. Index other pages first (ingest).</source>
        <translation>IDs aus Graph-Ergebnissen (d12, s12.3, e345), eine section_id oder passage_id von kb.search, eine Entität oder die URL einer indexierten Seite angeben. Andere Seiten zuerst indexieren (ingest).</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>Pass two different nodes.</source>
        <translation>Zwei verschiedene Knoten angeben.</translation>
    </message>
    <message>
        <location filename="../../app/scratch/passage.py"/>
        <source>Unpin or delete passages that you no longer need.</source>
        <translation>Nicht mehr benötigte Textstellen lösen oder löschen.</translation>
    </message>
    <message>
        <location filename="../../app/scratch/store.py"/>
        <source>Request a smaller part, or increase “Memory for recent passages” in Settings &gt; Server.</source>
        <translation>Einen kleineren Teil anfordern oder unter Einstellungen &gt; Server den Speicher für Fundstellen erhöhen.</translation>
    </message>
    <message>
        <location filename="../../app/scratch/store.py"/>
        <source>List the recent passages to see which are available.</source>
        <translation>Die Fundstellen auflisten, um zu sehen, welche verfügbar sind.</translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>Correct the file, or rename it to use the default settings.</source>
        <translation>Korrigieren Sie die Datei, oder benennen Sie sie um, um die Standardeinstellungen zu verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>Correct or remove this line. If a newer version of WebRAG wrote it, update WebRAG.</source>
        <translation>Korrigieren oder entfernen Sie diese Zeile. Wenn eine neuere Version von WebRAG sie geschrieben hat, aktualisieren Sie WebRAG.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>Unblock it in Settings &gt; Crawling.</source>
        <translation>Unter Einstellungen &gt; Einlesen freigeben.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>WebRAG never reads such addresses. Use another address of this page.</source>
        <translation>WebRAG liest solche Adressen nie. Eine andere Adresse dieser Seite verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>Correct the list of blocked or allowed sites. It contains names such as example.com or *.example.com.</source>
        <translation>Korrigieren Sie die Liste der gesperrten oder erlaubten Websites. Sie enthält Namen wie example.com oder *.example.com.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>Use another port. Browsers block this one too.</source>
        <translation>Einen anderen Port verwenden. Auch Browser sperren diesen.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>Enter this address yourself. Public pages cannot lead to networks that you allowed.</source>
        <translation>Diese Adresse selbst eingeben. Öffentliche Seiten können nicht in freigegebene Netze führen.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>Check the spelling of the address and your internet connection.</source>
        <translation>Schreibweise der Adresse und Internetverbindung prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>Try again. If the error persists, the site has a problem.</source>
        <translation>Erneut versuchen. Bleibt der Fehler bestehen, liegt er an der Website.</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>Save the page in your browser and add the file.</source>
        <translation>Die Seite im Browser speichern und die Datei hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Try the address with http://.</source>
        <translation>Die Adresse mit http:// versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Check the spelling of the address.</source>
        <translation>Schreibweise der Adresse prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Search the site for the page's new address.</source>
        <translation>Auf der Website nach der neuen Adresse der Seite suchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Check this computer's date. Your company's certificate authority must be installed on it.</source>
        <translation>Das Datum dieses Computers prüfen. Die Zertifizierungsstelle des Unternehmens muss darauf installiert sein.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Try again after that time.</source>
        <translation>Nach dieser Zeit erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Try again in a few minutes.</source>
        <translation>In einigen Minuten erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Try again later.</source>
        <translation>Später erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Check that the address opens in a browser.</source>
        <translation>Prüfen, ob sich die Adresse im Browser öffnet.</translation>
    </message>
    <message>
        <location filename="../../app/web/fetch.py"/>
        <source>Use an address that starts with https://.</source>
        <translation>Eine Adresse verwenden, die mit https:// beginnt.</translation>
    </message>
    <message>
        <location filename="../../app/web/fetch.py"/>
        <source>Find another address of this page.</source>
        <translation>Eine andere Adresse dieser Seite suchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/politeness.py"/>
        <source>To read pages that you add yourself, apply robots.txt to automatic reading only (Settings &gt; Crawling).</source>
        <translation>Um selbst hinzugefügte Seiten zu lesen, robots.txt nur beim automatischen Einlesen beachten (Einstellungen &gt; Einlesen).</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>Try again. If it happens with every page, see the log and turn off the page renderer.</source>
        <translation>Erneut versuchen. Tritt es bei jeder Seite auf, das Protokoll ansehen und die Seitendarstellung ausschalten.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>Allow unprivileged user namespaces for WebRAG, or turn off the page renderer.</source>
        <translation>Unprivilegierte Benutzer-Namensräume für WebRAG erlauben oder die Seitendarstellung ausschalten.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>Start WebRAG and try again.</source>
        <translation>WebRAG starten und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>Try a printable or plain version of the page.</source>
        <translation>Eine Druck- oder Textfassung der Seite versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/brave.py"/>
        <source>Use a shorter query.</source>
        <translation>Eine kürzere Anfrage verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>Request fewer results.</source>
        <translation>Weniger Ergebnisse anfordern.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>Use a two-letter country code such as us or de.</source>
        <translation>Einen Ländercode aus zwei Buchstaben wie us oder de verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>Use a language code such as en, de or pt-BR.</source>
        <translation>Einen Sprachcode wie en, de oder pt-BR verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/searxng.py"/>
        <source>Ask the user to correct it in Settings &gt; Search provider: http://host or https://host.</source>
        <translation>Den Benutzer bitten, sie unter Einstellungen &gt; Suchanbieter zu berichtigen: http://host oder https://host.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/service.py"/>
        <source>Ask the user to choose another provider in Settings &gt; Search provider.</source>
        <translation>Den Benutzer bitten, unter Einstellungen &gt; Suchanbieter einen anderen Anbieter zu wählen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/service.py"/>
        <source>Send fewer queries at the same time.</source>
        <translation>Weniger Anfragen gleichzeitig senden.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>Pass each address separately.</source>
        <translation>Jede Adresse einzeln angeben.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>Remove the part before the @ from the address.</source>
        <translation>Den Teil vor dem @ aus der Adresse entfernen.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>It is stored there. Query it with search or web_read_from_page, or read it with kb_read_excerpt.</source>
        <translation>Sie ist dort gespeichert. Mit search oder web_read_from_page befragen oder mit kb_read_excerpt lesen.</translation>
    </message>
</context>
<context>
    <name>FacetPanel</name>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Clear</source>
        <translation>Aufheben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Clear filters</source>
        <translation>Filter zurücksetzen</translation>
    </message>
</context>
<context>
    <name>FacetTree</name>
    <message>
        <location filename="../../app/desktop/pages/library/facet_tree.py"/>
        <source>New collection…</source>
        <translation>Neue Sammlung…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/facet_tree.py"/>
        <source>Show all {}…</source>
        <translation>Alle {} zeigen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/facet_tree.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/facet_tree.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
</context>
<context>
    <name>FactsView</name>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Passage details</source>
        <translation>Einzelheiten der Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>{} characters, {}</source>
        <translation>{} Zeichen, {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Place</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Expires in</source>
        <translation>Läuft ab in</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
</context>
<context>
    <name>FailedState</name>
    <message>
        <location filename="../../app/desktop/pages/parts.py"/>
        <source>Try again</source>
        <translation>Wiederholen</translation>
    </message>
</context>
<context>
    <name>FailureView</name>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Message to the assistant:</source>
        <translation>Meldung an den Assistenten:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>The address contains a secret and was not recorded completely.</source>
        <translation>Die Adresse enthält einen Schlüssel und wurde nicht vollständig aufgezeichnet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Try this page</source>
        <translation>Diese Seite versuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/details.py"/>
        <source>Preview the page and add it to the library</source>
        <translation>Vorschau der Seite öffnen und sie zur Bibliothek hinzufügen</translation>
    </message>
</context>
<context>
    <name>FileRow</name>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Path copied</source>
        <translation>Pfad kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Copy file path</source>
        <translation>Pfad der Datei kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Open folder of the file</source>
        <translation>Ordner der Datei öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>WebRAG entry in this file</source>
        <translation>Eintrag von WebRAG in dieser Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>not readable</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>configured</source>
        <translation>eingerichtet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>different entry</source>
        <translation>anderer Eintrag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>not configured</source>
        <translation>nicht eingerichtet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>does not exist yet</source>
        <translation>fehlt noch</translation>
    </message>
</context>
<context>
    <name>FilesCard</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>Files to add</source>
        <translation>Dateien zum Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>Select files or a folder, or drop them here. Nothing is added until you click Add.</source>
        <translation>Dateien oder einen Ordner auswählen oder hier ablegen. WebRAG fügt erst etwas hinzu, wenn auf „Hinzufügen“ geklickt wird.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>1 file to add</source>
        <translation>1 Datei zum Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>{} files to add</source>
        <translation>{} Dateien zum Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>At least {}</source>
        <translation>Mindestens {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>1 bookmarked page</source>
        <translation>1 Seite aus Lesezeichen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>{} bookmarked pages</source>
        <translation>{} Seiten aus Lesezeichen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>{}: {}</source>
        <translation>{}: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files_card.py"/>
        <source>Cannot read {} files.</source>
        <translation>{} Dateien können nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Disconnect…</source>
        <translation>Trennen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>WebRAG only changes its own entry and backs up the file first.</source>
        <translation>WebRAG ändert nur den eigenen Eintrag und sichert die Datei vorher.</translation>
    </message>
</context>
<context>
    <name>FilesPanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Files ({}), folders, or exported browser bookmarks.</source>
        <translation>Dateien ({}), Ordner oder exportierte Lesezeichen eines Browsers.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Path of a folder or file</source>
        <translation>Pfad eines Ordners oder einer Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Files…</source>
        <translation>Dateien…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Keep up to date</source>
        <translation>Aktuell halten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Add once</source>
        <translation>Einmal hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>WebRAG follows new, changed and deleted files until you remove the folder.</source>
        <translation>WebRAG verfolgt neue, geänderte und gelöschte Dateien, bis Sie den Ordner entfernen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Removing…</source>
        <translation>Wird entfernt…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Checking files…</source>
        <translation>Dateien werden geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Adding…</source>
        <translation>Wird hinzugefügt…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Choose files</source>
        <translation>Dateien wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Select files or a folder, or drop them here. Nothing is added until you click Add.</source>
        <translation>Dateien oder einen Ordner auswählen oder hier ablegen. WebRAG fügt erst etwas hinzu, wenn auf „Hinzufügen“ geklickt wird.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Add 1 page</source>
        <translation>1 Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Add {} pages</source>
        <translation>{} Seiten hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Add 1 file</source>
        <translation>1 Datei hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Add {} files</source>
        <translation>{} Dateien hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Added “{}”</source>
        <translation>„{}“ hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Added {} files</source>
        <translation>{} Dateien hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Could not read {} of {} files.</source>
        <translation>{} von {} Dateien konnten nicht gelesen werden.</translation>
    </message>
</context>
<context>
    <name>FirstQuestionStep</name>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Your library already contains the guide. Add a page, or ask a question immediately.</source>
        <translation>Ihre Bibliothek enthält bereits die Anleitung. Fügen Sie eine Seite hinzu, oder fragen Sie gleich.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask your first question</source>
        <translation>Erste Frage stellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask about the guide or the pages you added</source>
        <translation>Zur Anleitung oder zu Ihren Seiten fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask your library</source>
        <translation>Ihre Bibliothek fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Use WebRAG to read https://docs.python.org/3/library/asyncio-task.html: how do I cancel a task?</source>
        <translation>Lies mit WebRAG https://docs.python.org/3/library/asyncio-task.html: Wie stoppe ich Tasks?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Then ask your assistant, for example:</source>
        <translation>Fragen Sie danach Ihren Assistenten, zum Beispiel:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Copy example question</source>
        <translation>Beispielfrage kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>The answer appears here, quoted from the page.</source>
        <translation>Hier erscheint die Antwort als Zitat aus der Seite.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Searching…</source>
        <translation>Sucht…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>No answer in your library yet. Add a page that covers this, or rephrase the question.</source>
        <translation>Noch keine Antwort in Ihrer Bibliothek. Fügen Sie eine passende Seite hinzu, oder formulieren Sie die Frage anders.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>found in {}</source>
        <translation>gefunden in {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>keyword match only; the page is still being indexed</source>
        <translation>nur Schlüsselwort-Treffer; die Seite wird noch indexiert</translation>
    </message>
</context>
<context>
    <name>Flags</name>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} ({})</source>
        <translation>{} ({})</translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>1 link that could leak data</source>
        <translation>1 Link, über den Daten abfließen könnten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} links that could leak data</source>
        <translation>{} Links, über die Daten abfließen könnten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} (this address)</source>
        <translation>{} (diese Adresse)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>Flagged: {}</source>
        <translation>Auffällig: {}</translation>
    </message>
</context>
<context>
    <name>FolderNews</name>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Reading {}…</source>
        <translation>{} wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Added 1 file</source>
        <translation>1 Datei hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Added {} files</source>
        <translation>{} Dateien hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Added 1 package</source>
        <translation>1 Paket hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Added {} packages</source>
        <translation>{} Pakete hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>, {} could not be read</source>
        <translation>, {} nicht lesbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} could not be read</source>
        <translation>{} konnte nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>The guide is missing from the library.</source>
        <translation>Die Anleitung ist nicht mehr in der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Restart WebRAG to add it again.</source>
        <translation>Starten Sie WebRAG neu, um sie wieder hinzuzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Ask from any program</source>
        <translation>Aus jedem Programm fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Find a page, passage or command</source>
        <translation>Seite, Textstelle oder Befehl suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Add a page, site or folder</source>
        <translation>Seite, Website oder Ordner hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Add copied addresses or files</source>
        <translation>Kopierte Adressen oder Dateien hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Go to a page of the window</source>
        <translation>Zu einer Seite des Fensters wechseln</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Search or filter this page</source>
        <translation>Auf dieser Seite suchen oder filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Open guide</source>
        <translation>Anleitung öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Show keyboard shortcuts</source>
        <translation>Tastenkürzel zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Close the window (WebRAG keeps running in the tray)</source>
        <translation>Fenster schließen (WebRAG läuft im Infobereich weiter)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>In lists</source>
        <translation>In Listen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Select a row</source>
        <translation>Zeile wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Open the row</source>
        <translation>Zeile öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Delete the row</source>
        <translation>Zeile löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Undo the deletion</source>
        <translation>Löschen rückgängig machen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Refresh the page</source>
        <translation>Seite aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Read the page in the whole window (Esc to go back)</source>
        <translation>Seite im ganzen Fenster lesen (zurück mit Esc)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>In the search box (Ctrl+K)</source>
        <translation>Im Suchfeld (Strg+K)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Next group</source>
        <translation>Nächste Gruppe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Open at the passage</source>
        <translation>An der Textstelle öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>HitsModel</name>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>“{}”</source>
        <translation>„{}“</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Contains {}</source>
        <translation>Enthält {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Keyword match</source>
        <translation>Wörter stimmen überein</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Similar meaning</source>
        <translation>Ähnliche Bedeutung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Linked from a matching page</source>
        <translation>Von einer passenden Seite verlinkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Not embedded yet</source>
        <translation>Noch nicht eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Added by {}</source>
        <translation>Hinzugefügt von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>From the shared library {}</source>
        <translation>Aus der gemeinsamen Bibliothek {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>{0}, added by {1}</source>
        <translation>{0}, hinzugefügt von {1}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Likely answer</source>
        <translation>Wahrscheinliche Antwort</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Possible answer</source>
        <translation>Mögliche Antwort</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Weak match</source>
        <translation>Schwacher Treffer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Result {} of {}.</source>
        <translation>Treffer {} von {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Keyword match: words from your question appear in the passage, its title or its headings.</source>
        <translation>Wörter: Die Textstelle, ihr Titel oder ihre Überschriften enthalten Wörter Ihrer Frage.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Semantic match: covers the same topic in different words.</source>
        <translation>Bedeutung: Die Textstelle behandelt dasselbe Thema mit anderen Worten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Not embedded yet: its rank can change.</source>
        <translation>Noch nicht eingebettet: Der Rang kann sich ändern.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Linked from a matching page.</source>
        <translation>Von einer passenden Seite verlinkt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Ranked by a different model: not comparable with your other results.</source>
        <translation>Von einem anderen Modell bewertet und daher nicht mit Ihren anderen Treffern vergleichbar.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>About {} of passages with this rank contain the answer.</source>
        <translation>Etwa {} der Textstellen auf diesem Rang enthalten die Antwort.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Result</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Files on this computer</source>
        <translation>Dateien auf diesem Computer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>My library only</source>
        <translation>Nur meine Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Shared libraries only</source>
        <translation>Nur gemeinsame Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Library: {}</source>
        <translation>Bibliothek: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Collection: {}</source>
        <translation>Sammlung: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Tag: {}</source>
        <translation>Schlagwort: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/search.py"/>
        <source>Package: {}</source>
        <translation>Paket: {}</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Home</source>
        <translation>Start</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Verifiable answers for the AI assistants on this computer.</source>
        <translation>Überprüfbare Antworten für die KI-Assistenten auf diesem Computer.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Add page</source>
        <translation>Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Ask your library…</source>
        <translation>Ihre Bibliothek fragen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
</context>
<context>
    <name>HotKey</name>
    <message>
        <location filename="../../app/desktop/hot_key/keys.py"/>
        <source>“{}” is not a valid shortcut. Use Ctrl, Alt or Meta with a key, for example Ctrl+Alt+Space.</source>
        <translation>„{}“ ist kein gültiges Tastenkürzel. Verwenden Sie Strg, Alt oder Meta mit einer Taste, zum Beispiel Strg+Alt+Leertaste.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/keys.py"/>
        <source>Another program uses this shortcut. Choose a different one.</source>
        <translation>Ein anderes Programm verwendet dieses Tastenkürzel. Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/keys.py"/>
        <source>Your keyboard does not have this key.</source>
        <translation>Ihre Tastatur hat diese Taste nicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/keys.py"/>
        <source>WebRAG cannot register a shortcut on this desktop. Add one in the desktop settings that runs: webrag-desktop --ask</source>
        <translation>WebRAG kann auf diesem Desktop kein Tastenkürzel registrieren. Legen Sie in den Einstellungen des Desktops eines an, das Folgendes ausführt: webrag-desktop --ask</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/macos.py"/>
        <source>A system library is missing: {}.</source>
        <translation>Eine Bibliothek des Systems fehlt: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/macos.py"/>
        <source>macOS does not allow WebRAG to register shortcuts.</source>
        <translation>macOS lässt WebRAG keine Tastenkürzel registrieren.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/macos.py"/>
        <source>macOS rejected this shortcut (error {}). Choose a different one.</source>
        <translation>macOS hat dieses Tastenkürzel abgelehnt (Fehler {}). Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/portal.py"/>
        <source>WebRAG asked the desktop for this shortcut. The desktop may ask you to confirm.</source>
        <translation>WebRAG hat den Desktop um dieses Tastenkürzel gebeten. Vielleicht müssen Sie es bestätigen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/portal.py"/>
        <source>Ask WebRAG</source>
        <translation>WebRAG fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/portal.py"/>
        <source>Shortcut set by the desktop: {}</source>
        <translation>Vom Desktop festgelegtes Tastenkürzel: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/portal.py"/>
        <source>The desktop did not assign a shortcut. Set one for WebRAG in the desktop settings.</source>
        <translation>Der Desktop hat kein Tastenkürzel zugewiesen. Legen Sie in den Einstellungen des Desktops eines für WebRAG fest.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/portal.py"/>
        <source>The desktop removed the shortcut of the Ask window. Choose a different one.</source>
        <translation>Der Desktop hat das Tastenkürzel des Fragefensters entfernt. Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/portal.py"/>
        <source>The desktop rejected this shortcut. Choose a different one, or add one in the desktop settings that runs: webrag-desktop --ask</source>
        <translation>Der Desktop hat dieses Tastenkürzel abgelehnt. Wählen Sie ein anderes, oder legen Sie in den Einstellungen des Desktops eines an, das Folgendes ausführt: webrag-desktop --ask</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/x11.py"/>
        <source>An X11 library is missing: {}.</source>
        <translation>Eine Bibliothek von X11 fehlt: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/hot_key/x11.py"/>
        <source>WebRAG could not register the shortcut with the display server.</source>
        <translation>WebRAG konnte das Tastenkürzel nicht beim Anzeigeserver registrieren.</translation>
    </message>
</context>
<context>
    <name>JobsModel</name>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Same as another page</source>
        <translation>Gleich wie eine andere Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Already answered by stored pages</source>
        <translation>Gespeicherte Seiten genügen schon</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Outside the site</source>
        <translation>Außerhalb der Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>No reason given</source>
        <translation>Kein Grund angegeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>All causes</source>
        <translation>Alle Gründe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Site</source>
        <translation>Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Packages</source>
        <translation>Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Failed</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} files</source>
        <translation>{} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>1 package</source>
        <translation>1 Paket</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} packages</source>
        <translation>{} Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} done</source>
        <translation>{} fertig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} failed</source>
        <translation>{} Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} new</source>
        <translation>{} neu</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} changed</source>
        <translation>{} geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} unchanged</source>
        <translation>{} unverändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} skipped</source>
        <translation>{} übersprungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} waiting</source>
        <translation>{} ausstehend</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>State</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
</context>
<context>
    <name>JobsPane</name>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>WebRAG indexes sites, folders and bookmarks in the background. The progress appears here.</source>
        <translation>WebRAG indexiert Websites, Ordner und Lesezeichen im Hintergrund. Der Fortschritt erscheint hier.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Add site or folder</source>
        <translation>Website oder Ordner hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>No jobs yet</source>
        <translation>Noch keine Aufträge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Results by page</source>
        <translation>Ergebnisse der Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Stop this job. Pages it has already indexed are kept.</source>
        <translation>Auftrag abbrechen. Bereits eingelesene Seiten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Retry failed</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Reasons for failed pages</source>
        <translation>Gründe für fehlgeschlagene Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Failed pages</source>
        <translation>Fehlgeschlagene Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>No errors so far.</source>
        <translation>Bisher keine Fehler.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Block site</source>
        <translation>Website sperren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>{} of {} files</source>
        <translation>{} von {} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>{} of {} packages</source>
        <translation>{} von {} Paketen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>{} of {} pages</source>
        <translation>{} von {} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>1 failed</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>{} failed</source>
        <translation>{} Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>{} a minute</source>
        <translation>{} pro Minute</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>{} left</source>
        <translation>noch {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>took {}</source>
        <translation>Dauer {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/jobs.py"/>
        <source>All pages were indexed.</source>
        <translation>Alle Seiten wurden eingelesen.</translation>
    </message>
</context>
<context>
    <name>JoinLibraryDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Sign in again</source>
        <translation>Neu anmelden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Join a library</source>
        <translation>Einer Bibliothek beitreten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Sign in to {}</source>
        <translation>Bei {} anmelden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Library address</source>
        <translation>Adresse der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Library token</source>
        <translation>Token der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Share pages with</source>
        <translation>Seiten teilen mit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Open page again</source>
        <translation>Seite erneut öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Join library</source>
        <translation>Bibliothek beitreten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Sign in using your browser. This window then continues automatically.</source>
        <translation>Melden Sie sich im Browser an. Dieses Fenster fährt dann automatisch fort.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Your sign-in to {} has expired. Sign in again to continue. Your settings are kept.</source>
        <translation>Ihre Anmeldung bei {} ist abgelaufen. Melden Sie sich erneut an, um fortzufahren. Ihre Einstellungen bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Enter the address you got from your team. WebRAG then sends your questions there too. Your pages stay on this computer unless you share them.</source>
        <translation>Geben Sie die Adresse ein, die Sie von Ihrem Team erhalten haben. WebRAG sendet Ihre Fragen dann auch dorthin. Ihre Seiten bleiben auf diesem Computer, solange Sie sie nicht teilen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>You are signed in as {}.</source>
        <translation>Sie sind angemeldet als {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>You are using a shared token.</source>
        <translation>Sie verwenden ein gemeinsames Token.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>You do not have access to any collections yet. Ask an administrator.</source>
        <translation>Sie haben noch auf keine Sammlung Zugriff. Fragen Sie einen Administrator.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>You can read: {}.</source>
        <translation>Sie können lesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>You do not have write access to {}. To share pages, ask an owner for it.</source>
        <translation>Sie haben keine Schreibrechte auf {}. Bitten Sie einen Besitzer darum, wenn Sie Seiten teilen möchten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>You no longer have write access to {}. Choose another collection for shared pages.</source>
        <translation>Sie haben keine Schreibrechte auf {} mehr. Wählen Sie eine andere Sammlung für geteilte Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/join_library.py"/>
        <source>Do not share pages</source>
        <translation>Keine Seiten teilen</translation>
    </message>
</context>
<context>
    <name>JoinedRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Search {}</source>
        <translation>{} durchsuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Whether WebRAG searches this library</source>
        <translation>Ob WebRAG diese Bibliothek durchsucht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Sign in to {}</source>
        <translation>Bei {} anmelden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Leave {}</source>
        <translation>{} verlassen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
</context>
<context>
    <name>KeptFolders</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Folders in the library</source>
        <translation>Ordner in der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>… and {} more</source>
        <translation>… und {} weitere</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>{} files</source>
        <translation>{} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>1 skipped</source>
        <translation>1 übersprungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>{} skipped</source>
        <translation>{} übersprungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Refresh {}</source>
        <translation>{} aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>Remove {} from the library</source>
        <translation>{} aus der Bibliothek entfernen</translation>
    </message>
</context>
<context>
    <name>Labels</name>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Collection “{}” created</source>
        <translation>Sammlung „{}“ angelegt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Nothing to add: “{}” already contains these pages</source>
        <translation>Nichts hinzuzufügen: „{}“ enthält diese Seiten schon</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>{pages} added to “{name}”</source>
        <translation>{pages} zu „{name}“ hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>{pages} removed from “{name}”</source>
        <translation>{pages} aus „{name}“ entfernt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Collection “{}” deleted. Its pages are kept.</source>
        <translation>Sammlung „{}“ gelöscht. Ihre Seiten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Tag “{}” deleted</source>
        <translation>Schlagwort „{}“ gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Collections</source>
        <translation>Sammlungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Site or folder</source>
        <translation>Website oder Ordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>State</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>New or changed</source>
        <translation>Neu oder geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Freshness</source>
        <translation>Aktualität</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Added by</source>
        <translation>Hinzugefügt von</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Flagged</source>
        <translation>Auffällig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Web</source>
        <translation>Web</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Guide</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Package</source>
        <translation>Paket</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Browser</source>
        <translation>Browser</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>You</source>
        <translation>Ihnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Followed link</source>
        <translation>Verfolgter Link</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Crawl</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Single files</source>
        <translation>Einzelne Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Embedding</source>
        <translation>Wird eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Keyword search only</source>
        <translation>Nur Schlüsselwortsuche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>With a note</source>
        <translation>Mit Hinweis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>In the last day</source>
        <translation>Letzte 24 Stunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>In the last week</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>In the last month</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Since it was added</source>
        <translation>Seit dem Hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Since it was cited</source>
        <translation>Seit dem Zitieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Up to date</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Outdated</source>
        <translation>Veraltet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Speaks to the assistant</source>
        <translation>Spricht den Assistenten an</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/labels.py"/>
        <source>Unusual address</source>
        <translation>Ungewöhnliche Adresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>New collection…</source>
        <translation>Neue Sammlung…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Other tag…</source>
        <translation>Anderes Schlagwort…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>New collection</source>
        <translation>Neue Sammlung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Add tag</source>
        <translation>Schlagwort hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Rename collection</source>
        <translation>Sammlung umbenennen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Rename tag</source>
        <translation>Schlagwort umbenennen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Delete collection</source>
        <translation>Sammlung löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Delete tag</source>
        <translation>Schlagwort löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Collections and tags</source>
        <translation>Sammlungen und Schlagwörter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Collection {}</source>
        <translation>Sammlung {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Tag {}</source>
        <translation>Schlagwort {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>{} more</source>
        <translation>{} weitere</translation>
    </message>
</context>
<context>
    <name>LatestCalls</name>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Show all calls</source>
        <translation>Alle Aufrufe zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>No calls yet. Connect an assistant and ask it something about a web page.</source>
        <translation>Noch keine Aufrufe. Verbinden Sie einen Assistenten und fragen Sie ihn etwas zu einer Webseite.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Latest calls</source>
        <translation>Letzte Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>unknown assistant</source>
        <translation>unbekannter Assistent</translation>
    </message>
</context>
<context>
    <name>Ledger</name>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Others</source>
        <translation>Andere</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} calls</source>
        <translation>{} Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>1 token returned</source>
        <translation>1 Token zurückgegeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} tokens returned</source>
        <translation>{} Token zurückgegeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} saved</source>
        <translation>{} gespart</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} more than on the pages</source>
        <translation>{} mehr als auf den Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>no calls</source>
        <translation>keine Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} tokens in {} calls over {} days</source>
        <translation>{} Token in {} Aufrufen über {} Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} tokens saved</source>
        <translation>{} Token gespart</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} more tokens than on the pages</source>
        <translation>{} Token mehr als auf den Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>today {} tokens</source>
        <translation>heute {} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Tokens of the answers returned to the assistant</source>
        <translation>Token der Antworten an den Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Saved</source>
        <translation>Gespart</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Page length minus returned text. Each page counts once a day; for searches, only the top page counts. Negative if more was returned.</source>
        <translation>Seitenlänge minus zurückgegebener Text. Jede Seite zählt einmal am Tag, bei Suchen nur die beste Seite. Negativ, wenn mehr zurückgegeben wurde.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
</context>
<context>
    <name>LedgerChart</name>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Tokens returned per day</source>
        <translation>Zurückgegebene Token pro Tag</translation>
    </message>
</context>
<context>
    <name>LedgerPane</name>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Save as CSV</source>
        <translation>Als CSV speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Saved as {}</source>
        <translation>Gespeichert als {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Assistants by color</source>
        <translation>Assistenten nach Farbe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Calls are not recorded now. These are earlier ones. To record calls again, choose “Recording settings…”.</source>
        <translation>Aufrufe werden derzeit nicht aufgezeichnet. Dies sind frühere. Um Aufrufe wieder aufzuzeichnen, wählen Sie „Aufzeichnung einstellen…“.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Week</source>
        <translation>Woche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>The last 7 days</source>
        <translation>Die letzten 7 Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Month</source>
        <translation>Monat</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>The last 30 days</source>
        <translation>Die letzten 30 Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Period</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Tokens returned per day</source>
        <translation>Zurückgegebene Token pro Tag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Save these numbers as a CSV file</source>
        <translation>Diese Zahlen als CSV-Datei speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>After an assistant has called WebRAG, this shows the tokens returned to it each day, and the tokens saved because it did not have to read whole pages.</source>
        <translation>Nach dem ersten Aufruf eines Assistenten sehen Sie hier, wie viele Token er an jedem Tag erhielt und wie viele er gespart hat, weil er keine ganzen Seiten lesen musste.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>No calls yet</source>
        <translation>Noch keine Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Turn on recording to see how many tokens WebRAG returns to assistants.</source>
        <translation>Schalten Sie die Aufzeichnung ein, um zu sehen, wie viele Token WebRAG an Assistenten zurückgibt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Open Settings</source>
        <translation>Einstellungen öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/ledger.py"/>
        <source>Calls are not recorded</source>
        <translation>Aufrufe werden nicht aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>LeftOutLine</name>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>1 file in your folders was skipped.</source>
        <translation>1 Datei in Ihren Ordnern wurde übersprungen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>{} files in your folders were skipped.</source>
        <translation>{} Dateien in Ihren Ordnern wurden übersprungen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Skipped files</source>
        <translation>Übersprungene Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>LibrariesCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Libraries to search</source>
        <translation>Zu durchsuchende Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>The assistant can still name another library in a question. Takes effect immediately.</source>
        <translation>In einer Frage kann der Assistent trotzdem eine andere Bibliothek nennen. Wirkt sofort.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Private and shared libraries</source>
        <translation>Private und gemeinsame Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Private library only</source>
        <translation>Nur private Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Shared libraries only</source>
        <translation>Nur gemeinsame Bibliotheken</translation>
    </message>
</context>
<context>
    <name>LibrariesSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>WebRAG stops searching {} and forgets your sign-in. The library itself is not changed.</source>
        <translation>WebRAG durchsucht {} nicht mehr und löscht Ihre Anmeldung. Die Bibliothek selbst bleibt unverändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Leave {}?</source>
        <translation>{} verlassen?</translation>
    </message>
</context>
<context>
    <name>LibraryActions</name>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>(without 1 page saved from the browser)</source>
        <translation>(ohne 1 im Browser gespeicherte Seite)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>(without {} pages saved from the browser)</source>
        <translation>(ohne {} im Browser gespeicherte Seiten)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>These pages are not on the web and cannot be refreshed</source>
        <translation>Diese Seiten sind nicht im Web und können nicht aktualisiert werden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refreshing…</source>
        <translation>Wird aktualisiert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refreshing {} pages…</source>
        <translation>{} Seiten werden aktualisiert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>“{}” deleted</source>
        <translation>„{}“ gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} pages deleted</source>
        <translation>{} Seiten gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Delete all pages of {site}: {pages}?</source>
        <translation>Alle Seiten von {site} löschen: {pages}?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Delete all pages of {}</source>
        <translation>Alle Seiten von {} löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Delete pages</source>
        <translation>Seiten löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Remove 1 page that was only added because a page linked to it?</source>
        <translation>1 Seite entfernen, die nur wegen eines Links hinzugefügt wurde?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Remove {} pages that were only added because a page linked to them?</source>
        <translation>{} Seiten entfernen, die nur wegen eines Links hinzugefügt wurden?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>They have never been cited, have no tags or pins, and are in no collection.</source>
        <translation>Sie wurden nie zitiert, haben keine Schlagwörter oder Anheftungen und gehören zu keiner Sammlung.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Remove unused pages</source>
        <translation>Unbenutzte Seiten entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Citation copied</source>
        <translation>Quellenangabe kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} citations copied</source>
        <translation>{} Quellenangaben kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Address copied</source>
        <translation>Adresse kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} addresses copied</source>
        <translation>{} Adressen kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Folder for 1 page</source>
        <translation>Ordner für 1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Folder for {} pages</source>
        <translation>Ordner für {} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Saving 1 page…</source>
        <translation>1 Seite wird gespeichert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Saving {} pages…</source>
        <translation>{} Seiten werden gespeichert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>1 page saved</source>
        <translation>1 Seite gespeichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} pages saved</source>
        <translation>{} Seiten gespeichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>, {} failed</source>
        <translation>, {} fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Open {} pages?</source>
        <translation>{} Seiten öffnen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} pages are selected. Open the first {}?</source>
        <translation>{} Seiten sind ausgewählt. Die ersten {} öffnen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Page refreshed</source>
        <translation>Seite aktualisiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} pages refreshed</source>
        <translation>{} Seiten aktualisiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Page updated</source>
        <translation>Seite hat sich geändert und wurde übernommen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Page has not changed</source>
        <translation>Seite hat sich nicht geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>, {} changed</source>
        <translation>, {} geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refreshing 1 page in the background</source>
        <translation>1 Seite wird im Hintergrund aktualisiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refreshing {} pages in the background</source>
        <translation>{} Seiten werden im Hintergrund aktualisiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refresh of 1 library page</source>
        <translation>Aktualisierung von 1 Seite der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refresh of {} library pages</source>
        <translation>Aktualisierung von {} Seiten der Bibliothek</translation>
    </message>
</context>
<context>
    <name>LibraryMenu</name>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Open {} pages…</source>
        <translation>{} Seiten öffnen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Refresh {} pages</source>
        <translation>{} Seiten aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Copy citation</source>
        <translation>Quellenangabe kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Copy {} citations</source>
        <translation>{} Quellenangaben kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Copy {} addresses</source>
        <translation>{} Adressen kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Save as Markdown…</source>
        <translation>Als Markdown speichern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Save {} pages as Markdown…</source>
        <translation>{} Seiten als Markdown speichern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Delete {} pages</source>
        <translation>{} Seiten löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Show only {}</source>
        <translation>Nur {} zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Block {}</source>
        <translation>{} sperren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Delete all pages of {}…</source>
        <translation>Alle Seiten von {} löschen…</translation>
    </message>
</context>
<context>
    <name>LibraryModel</name>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Keyword search only</source>
        <translation>Nur Schlüsselwortsuche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Embedding {}</source>
        <translation>Wird eingebettet: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Web page</source>
        <translation>Webseite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>{} of {} passages are embedded. Semantic search does not find the others yet.</source>
        <translation>{} von {} Textstellen sind eingebettet. Die semantische Suche findet die anderen noch nicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Site</source>
        <translation>Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>In 1 passage</source>
        <translation>In 1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>In {} passages</source>
        <translation>In {} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Fetched</source>
        <translation>Abgerufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>State</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Added by</source>
        <translation>Hinzugefügt von</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Collections</source>
        <translation>Sammlungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Cited</source>
        <translation>Zitiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>{} · changed</source>
        <translation>{} · geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>{} · outdated</source>
        <translation>{} · veraltet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Fetched: {}</source>
        <translation>Abgerufen: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Outdated. Refreshes when next needed, or press F5.</source>
        <translation>Veraltet. Wird beim nächsten Bedarf oder mit F5 aktualisiert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Text unchanged since: {}</source>
        <translation>Text unverändert seit: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Last modified according to the site: {}</source>
        <translation>Zuletzt geändert laut Website: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Last cited: {}</source>
        <translation>Zuletzt zitiert: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>The text has changed since then.</source>
        <translation>Der Text hat sich seitdem geändert.</translation>
    </message>
</context>
<context>
    <name>LibraryPage</name>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Add page</source>
        <translation>Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Refresh {} outdated pages</source>
        <translation>{} veraltete Seiten aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Refresh the outdated pages in this view. Pages saved from the browser are not changed.</source>
        <translation>Veraltete Seiten dieser Ansicht aktualisieren. Im Browser gespeicherte Seiten bleiben unverändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Remove unused pages…</source>
        <translation>Ungenutzte Seiten entfernen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Remove pages that were only added because a page linked to them, and that have never been cited.</source>
        <translation>Seiten entfernen, die nur wegen eines Links hinzugefügt und nie zitiert wurden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Filter by title or address</source>
        <translation>Nach Titel oder Adresse filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Filter the library</source>
        <translation>Bibliothek filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Filter by site, state, age and more</source>
        <translation>Nach Website, Zustand, Alter und mehr filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Loading the library…</source>
        <translation>Bibliothek wird geladen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>WebRAG is starting.</source>
        <translation>WebRAG wird gestartet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Stored pages</source>
        <translation>Gespeicherte Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Clear filters</source>
        <translation>Filter zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>No pages match your filters.</source>
        <translation>Keine Seite passt zu Ihren Filtern.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>No matching pages</source>
        <translation>Keine passenden Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Add a page, a site or a folder, or ask a connected assistant about a page. Everything it reads appears here.</source>
        <translation>Fügen Sie eine Seite, eine Website oder einen Ordner hinzu, oder fragen Sie einen verbundenen Assistenten nach einer Seite. Alles, was er liest, erscheint hier.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>No pages yet</source>
        <translation>Noch keine Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>That page is not in the list</source>
        <translation>Diese Seite ist nicht in der Liste</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Filters ({})</source>
        <translation>Filter ({})</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>only the newest {} are listed</source>
        <translation>nur die neuesten {} sind aufgeführt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Refresh 1 outdated page</source>
        <translation>1 veraltete Seite aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Remove 1 unused page…</source>
        <translation>1 unbenutzte Seite entfernen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>Remove {} unused pages…</source>
        <translation>{} unbenutzte Seiten entfernen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>{} selected</source>
        <translation>{} ausgewählt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/page.py"/>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
</context>
<context>
    <name>LibraryPicker</name>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/side.py"/>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Licenses</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Loading licenses…</source>
        <translation>Lizenzen werden geladen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Open-source packages in WebRAG</source>
        <translation>Open-Source-Pakete in WebRAG</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Find a package or license</source>
        <translation>Paket oder Lizenz suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Packages</source>
        <translation>Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>License</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>1 package</source>
        <translation>1 Paket</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>{} packages</source>
        <translation>{} Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>This package does not include a license text.</source>
        <translation>Dieses Paket enthält keinen Lizenztext.</translation>
    </message>
</context>
<context>
    <name>LinksView</name>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Page links</source>
        <translation>Links der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>No links on this page</source>
        <translation>Keine Links auf dieser Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Pages that link here</source>
        <translation>Seiten, die hierher verlinken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>No stored pages link here</source>
        <translation>Keine gespeicherte Seite verlinkt hierher</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Outgoing</source>
        <translation>Ausgehend</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Links in the text of this page</source>
        <translation>Links im Text dieser Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Incoming</source>
        <translation>Eingehend</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Stored pages that link to this one</source>
        <translation>Gespeicherte Seiten, die auf diese verlinken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Links to list</source>
        <translation>Angezeigte Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>{} outgoing, {} incoming</source>
        <translation>{} ausgehend, {} eingehend</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Pages that link here or are linked from here appear once they are stored.</source>
        <translation>Seiten, die hierher verlinken oder von hier verlinkt sind, erscheinen, sobald sie gespeichert sind.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>No linked pages in the library</source>
        <translation>Keine verlinkten Seiten in der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Turn it on and restart WebRAG to see the pages around this one.</source>
        <translation>Schalten Sie ihn ein und starten Sie WebRAG neu, um die Seiten um diese herum zu sehen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Open setting</source>
        <translation>Einstellung öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>The graph is turned off</source>
        <translation>Der Graph ist ausgeschaltet</translation>
    </message>
</context>
<context>
    <name>ListRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/layout.py"/>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
</context>
<context>
    <name>LoginRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>WebRAG cannot set this up on your system.</source>
        <translation>WebRAG kann das auf Ihrem System nicht einrichten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Start when you log in</source>
        <translation>Beim Anmelden starten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>WebRAG starts in the tray, ready for your assistants.</source>
        <translation>WebRAG startet im Infobereich und ist für Ihre Assistenten bereit.</translation>
    </message>
</context>
<context>
    <name>LookList</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Pages to add</source>
        <translation>Hinzuzufügende Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>added in the background</source>
        <translation>wird im Hintergrund hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>fetching…</source>
        <translation>wird abgerufen…</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <location filename="../../app/desktop/__main__.py"/>
        <source>An assistant started WebRAG without a window. Restart it with a window? Assistants reconnect automatically.</source>
        <translation>Ein Assistent hat WebRAG ohne Fenster gestartet. Mit Fenster neu starten? Assistenten verbinden sich automatisch neu.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/__main__.py"/>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Process {}, running since {}:</source>
        <translation>Prozess {}, läuft seit {}:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>If it has just been started, cancel and wait a moment. The library is not changed.</source>
        <translation>Wenn es gerade erst gestartet wurde, brechen Sie ab und warten Sie einen Moment. Die Bibliothek bleibt unverändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>WebRAG is already running but does not respond.</source>
        <translation>WebRAG läuft schon, antwortet aber nicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>End process and start</source>
        <translation>Prozess beenden und starten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Or start with the default settings. WebRAG keeps your file as {}. The library is not changed.</source>
        <translation>Oder starten Sie mit den Standardeinstellungen. WebRAG behält Ihre Datei als {}. Die Bibliothek wird nicht geändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Use default settings</source>
        <translation>Standardeinstellungen verwenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
</context>
<context>
    <name>Marks</name>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>Reset “{}” to its default</source>
        <translation>„{}“ auf den Standard zurücksetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>Reset to default: {}</source>
        <translation>Auf den Standard zurücksetzen: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>after restart</source>
        <translation>nach dem Neustart</translation>
    </message>
</context>
<context>
    <name>MeaningState</name>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Show search model</source>
        <translation>Suchmodell zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Semantic search</source>
        <translation>Semantische Suche</translation>
    </message>
</context>
<context>
    <name>MetadataView</name>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Page metadata</source>
        <translation>Metadaten der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Show all in text</source>
        <translation>Alle im Text zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Copy: {}</source>
        <translation>Kopieren: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>“{}”</source>
        <translation>„{}“</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/document_tabs.py"/>
        <source>Show in text</source>
        <translation>Im Text zeigen</translation>
    </message>
</context>
<context>
    <name>MissingCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Searched locations</source>
        <translation>Durchsuchte Orte</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>If its settings are in another location, run this command in a terminal:</source>
        <translation>Liegen seine Einstellungen an einem anderen Ort, führen Sie im Terminal diesen Befehl aus:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Command to run</source>
        <translation>Der auszuführende Befehl</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Searched in</source>
        <translation>Gesucht in</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Not found on this computer</source>
        <translation>Auf diesem Computer nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Install {0} and start it once. It then appears here, and you can connect it with one click.</source>
        <translation>Installieren Sie {0} und starten Sie es einmal. Es erscheint dann hier und lässt sich mit einem Klick verbinden.</translation>
    </message>
</context>
<context>
    <name>ModelTestStep</name>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>WebRAG includes a small language model that finds passages by meaning, even if the wording differs.</source>
        <translation>WebRAG enthält ein kleines Sprachmodell, das Textstellen nach ihrer Bedeutung findet, auch wenn der Wortlaut abweicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Test semantic search</source>
        <translation>Semantische Suche testen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Test again</source>
        <translation>Erneut testen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Testing…</source>
        <translation>Wird getestet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>The question</source>
        <translation>Die Frage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Two sentences</source>
        <translation>Zwei Sätze</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Similarity in meaning</source>
        <translation>Ähnlichkeit der Bedeutung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>The built-in model is best for English. For pages in other languages, add another one.</source>
        <translation>Das eingebaute Modell eignet sich am besten für Englisch. Ergänzen Sie für Seiten in anderen Sprachen ein weiteres.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>The model is comparing three sentences.</source>
        <translation>Das Modell vergleicht drei Sätze.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Tested in {} with {}, entirely on this computer.</source>
        <translation>Getestet in {} mit {}, vollständig auf diesem Computer.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Tested in {} with {}, the server from your settings.</source>
        <translation>Getestet in {} mit {}, dem Server aus Ihren Einstellungen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Semantic search works</source>
        <translation>Die semantische Suche funktioniert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>WebRAG also works without the model. It then uses keyword search only and says so in its answers.</source>
        <translation>WebRAG funktioniert auch ohne das Modell. Es verwendet dann nur die Schlüsselwortsuche und weist in den Antworten darauf hin.</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Available rerankers</source>
        <translation>Verfügbare Reranker</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Available models</source>
        <translation>Verfügbare Modelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Built-in model</source>
        <translation>Eingebautes Modell</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>WebRAG copies this folder and tests the model.</source>
        <translation>WebRAG kopiert diesen Ordner und testet das Modell.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>License: {}, {}.</source>
        <translation>Lizenz: {}, {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>WebRAG downloads it from {} when you choose it.</source>
        <translation>WebRAG lädt es von {} herunter, wenn Sie es wählen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Reads the best passages with the question and orders them again.</source>
        <translation>Liest die besten Textstellen zusammen mit der Frage und ordnet sie neu.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>The built-in model stays in use for English.</source>
        <translation>Für Englisch bleibt das eingebaute Modell in Gebrauch.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Choose the folder of a model</source>
        <translation>Ordner eines Modells wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Adding and testing the model…</source>
        <translation>Das Modell wird hinzugefügt und getestet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>This is a reranker. Choose it in Settings &gt; Search model &gt; Reranker.</source>
        <translation>Das ist ein Reranker. Wähle ihn unter Einstellungen &gt; Suchmodell &gt; Reranker.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>This is a search model. Choose it in the row above.</source>
        <translation>Das ist ein Suchmodell. Wähle es in der Zeile darüber.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Run the self-test to see how long this takes.</source>
        <translation>Der Selbsttest zeigt, wie lange das dauert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>This takes about {}.</source>
        <translation>Das dauert etwa {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Try again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>About 100 languages, and questions in another language than the page.</source>
        <translation>Etwa 100 Sprachen und Fragen in einer anderen Sprache als der Seite.</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>About 50 languages and source code. Not measured with WebRAG.</source>
        <translation>Etwa 50 Sprachen und Quelltext. Nicht mit WebRAG gemessen.</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>About 50 languages, made for short sentences: reads only 128 tokens at a time. Not measured with WebRAG.</source>
        <translation>Etwa 50 Sprachen, für kurze Sätze gemacht: liest nur 128 Tokens auf einmal. Nicht mit WebRAG gemessen.</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>English only, twice as large as the built-in model. Not measured with WebRAG.</source>
        <translation>Nur Englisch, doppelt so groß wie das eingebaute Modell. Nicht mit WebRAG gemessen.</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>English only, as large and fast as the built-in model. Not measured with WebRAG.</source>
        <translation>Nur Englisch, so groß und schnell wie das eingebaute Modell. Nicht mit WebRAG gemessen.</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>Reranker for English questions. Trained on MS MARCO, whose data is licensed for research only. Not measured with WebRAG.</source>
        <translation>Reranker für englische Fragen. Trainiert mit MS MARCO, dessen Daten nur für die Forschung lizenziert sind. Nicht mit WebRAG gemessen.</translation>
    </message>
    <message>
        <location filename="../../assets/models.toml"/>
        <source>Reranker for 14 languages, twice as slow as the English one. Trained on mMARCO, whose data is licensed for research only. Not measured with WebRAG.</source>
        <translation>Reranker für 14 Sprachen, halb so schnell wie der englische. Trainiert mit mMARCO, dessen Daten nur für die Forschung lizenziert sind. Nicht mit WebRAG gemessen.</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/labels.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>NeighbourView</name>
    <message>
        <location filename="../../app/desktop/pages/library/neighbours.py"/>
        <source>Links here</source>
        <translation>Verlinkt hierher</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/neighbours.py"/>
        <source>Linked from here</source>
        <translation>Von hier verlinkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/neighbours.py"/>
        <source>Shares terms</source>
        <translation>Gemeinsame Begriffe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/neighbours.py"/>
        <source>Neighbors of the page</source>
        <translation>Nachbarn der Seite</translation>
    </message>
</context>
<context>
    <name>Neighbours</name>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Links to this page</source>
        <translation>Verlinkt auf diese Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Linked from this page</source>
        <translation>Von dieser Seite verlinkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Links to this page and is linked from it</source>
        <translation>Verlinkt auf diese Seite und ist von ihr verlinkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Shares terms with this page</source>
        <translation>Hat gemeinsame Begriffe mit dieser Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>“{}”</source>
        <translation>„{}“</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>1 page links here</source>
        <translation>1 Seite verlinkt hierher</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>{} pages link here</source>
        <translation>{} Seiten verlinken hierher</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>links to 1 stored page</source>
        <translation>verlinkt auf 1 gespeicherte Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>links to {} stored pages</source>
        <translation>verlinkt auf {} gespeicherte Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>No links</source>
        <translation>Keine Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>shares terms with 1 page</source>
        <translation>gemeinsame Begriffe mit 1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>shares terms with {} pages</source>
        <translation>gemeinsame Begriffe mit {} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>{} more not shown</source>
        <translation>{} weitere nicht gezeigt</translation>
    </message>
</context>
<context>
    <name>NewestPages</name>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Show all pages</source>
        <translation>Alle Seiten zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>Newest pages</source>
        <translation>Neueste Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>No pages yet. Add a page to your library.</source>
        <translation>Noch keine Seiten. Fügen Sie Ihrer Bibliothek eine Seite hinzu.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/page.py"/>
        <source>{}  ·  {}</source>
        <translation>{}  ·  {}</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <location filename="../../app/autostart.py"/>
        <source>Cannot change the registry ({}).</source>
        <translation>Die Registrierung kann nicht geändert werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/autostart.py"/>
        <source>The path of this program is too long for a Windows startup entry ({} characters).</source>
        <translation>Der Pfad dieses Programms ist zu lang für einen Autostart-Eintrag von Windows ({} Zeichen).</translation>
    </message>
    <message>
        <location filename="../../app/autostart.py"/>
        <source>Cannot change {} ({}).</source>
        <translation>{} kann nicht geändert werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>{} browsers are already paired.</source>
        <translation>Es sind bereits {} Browser gekoppelt.</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>There is no valid pairing code.</source>
        <translation>Es gibt keinen gültigen Kopplungscode.</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>The code is wrong.</source>
        <translation>Der Code ist falsch.</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>Cannot read the list of browsers ({}).</source>
        <translation>Die Liste der Browser kann nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/browsers.py"/>
        <source>Cannot save the list of browsers ({}).</source>
        <translation>Die Liste der Browser kann nicht gespeichert werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/addresses.py"/>
        <source>{} no longer contains an outdated WebRAG address.</source>
        <translation>{} enthält keine veraltete Adresse von WebRAG mehr.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>{}, {} free</source>
        <translation>{}, {} frei</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>{0}, {1} dimensions</source>
        <translation>{0}, {1} Dimensionen</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>readable</source>
        <translation>lesbar</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Unlock or install a system keyring, or set secrets in environment variables.</source>
        <translation>Einen Schlüsselbund des Systems entsperren oder installieren oder die Schlüssel als Umgebungsvariablen setzen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Free some space on this disk.</source>
        <translation>Auf diesem Datenträger Platz schaffen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>{} is free</source>
        <translation>{} ist frei</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>no damage found, {}</source>
        <translation>keine Schäden gefunden, {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>no damage found so far, {}</source>
        <translation>bisher keine Schäden gefunden, {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>{}; webrag compact frees about {} MB</source>
        <translation>{}; webrag compact gibt etwa {} MB frei</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Restore a backup, or run webrag verify in a terminal.</source>
        <translation>Eine Sicherung wiederherstellen oder im Terminal webrag verify ausführen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>your own server: {}</source>
        <translation>eigener Server: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Reinstall the application.</source>
        <translation>Die Anwendung neu installieren.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>available; access token: {}</source>
        <translation>verfügbar; Zugangstoken: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Check its permissions, or choose another folder with --data-dir.</source>
        <translation>Die Zugriffsrechte prüfen oder mit --data-dir einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>not running; starts with the first assistant</source>
        <translation>läuft nicht; startet mit dem ersten Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>any free port</source>
        <translation>ein beliebiger freier Port</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>none yet; created at the first start</source>
        <translation>noch keine; wird beim ersten Start angelegt</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>cannot write to {0} ({1})</source>
        <translation>{0} ist nicht beschreibbar ({1})</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>version {0} responds at {1}</source>
        <translation>Version {0} antwortet unter {1}</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Quit that program and restart WebRAG, or update the address in every assistant that uses it.</source>
        <translation>Beenden Sie das andere Programm und starten Sie WebRAG neu, oder ändern Sie die Adresse in jedem Assistenten, der sie verwendet.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>another program uses port {}; assistants that use this address may connect to it</source>
        <translation>ein anderes Programm verwendet Port {}; Assistenten mit dieser Adresse verbinden sich womöglich mit ihm</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>process {0} does not respond at {1}</source>
        <translation>Prozess {0} antwortet nicht unter {1}</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>not running; the next start cleans up after an unclean exit</source>
        <translation>läuft nicht; der nächste Start räumt nach dem unsauberen Ende auf</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>After the start, update assistants that connect by address. Settings &gt; Server shows the new address.</source>
        <translation>Nach dem Start die Adresse in den Assistenten ändern, die über sie verbunden sind. Die neue Adresse steht unter Einstellungen &gt; Server.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Quit WebRAG in its tray menu and start it again.</source>
        <translation>WebRAG über das Menü im Infobereich beenden und neu starten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Start WebRAG.</source>
        <translation>WebRAG starten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>{} is not free; WebRAG uses the next free port</source>
        <translation>{} ist nicht frei; WebRAG verwendet den nächsten freien Port</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>Choose another address and port in Settings &gt; Server.</source>
        <translation>Eine andere Adresse und einen anderen Port unter Einstellungen &gt; Server wählen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/checks.py"/>
        <source>cannot use {0} ({1})</source>
        <translation>{0} kann nicht verwendet werden ({1})</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>{} is larger than {} MiB, so WebRAG did not read it.</source>
        <translation>{} ist größer als {} MiB, daher hat WebRAG die Datei nicht gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>WebRAG cannot change {} without affecting other content.</source>
        <translation>WebRAG kann {} nicht ändern, ohne andere Inhalte zu beeinflussen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>line {}, column {}: {}</source>
        <translation>Zeile {}, Spalte {}: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>The top-level value in {} is not an object.</source>
        <translation>Der oberste Wert in {} ist kein Objekt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>In {}, "{}" is not an object.</source>
        <translation>In {} ist „{}“ kein Objekt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Cannot read {} ({}).</source>
        <translation>{} kann nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>{} is not UTF-8 text ({}).</source>
        <translation>{} ist kein UTF-8-Text ({}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Cannot write {} ({}).</source>
        <translation>{} kann nicht geschrieben werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>{} was changed by another program.</source>
        <translation>{} wurde von einem anderen Programm geändert.</translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>{} is not valid {} ({}).</source>
        <translation>{} ist kein gültiges {} ({}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>Report this problem with the output of: webrag doctor --json</source>
        <translation>Das Problem melden, zusammen mit der Ausgabe von: webrag doctor --json</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>The assistant waits only {} s. Keep WebRAG running, or start it at login.</source>
        <translation>Der Assistent wartet nur {} s. WebRAG laufen lassen oder bei der Anmeldung starten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>responds after {0} ms, {1} tools</source>
        <translation>antwortet nach {0} ms, {1} Werkzeuge</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>still running {} s after the end of its input; killed</source>
        <translation>lief {} s nach dem Ende der Eingabe noch; abgebrochen</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>Choose a tool profile in Settings &gt; Tools.</source>
        <translation>Ein Werkzeugprofil unter Einstellungen &gt; Werkzeuge wählen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>If it should start WebRAG, run: {}</source>
        <translation>Soll er WebRAG starten, ausführen: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>{} does not exist or is not executable</source>
        <translation>{} existiert nicht oder ist nicht ausführbar</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>Run the command in a terminal to see its output. If the program was moved, connect the assistant again.</source>
        <translation>Den Befehl im Terminal ausführen, um seine Ausgabe zu sehen. Wurde das Programm verschoben, den Assistenten neu verbinden.</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>exit status {}</source>
        <translation>Exit-Status {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>{0} bytes; the assistant only reads {1}</source>
        <translation>{0} Bytes; der Assistent liest nur {1}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>Run in a terminal: webrag settings mcp_tool_name_style underscore</source>
        <translation>Im Terminal ausführen: webrag settings mcp_tool_name_style underscore</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>too long for the assistant: {}</source>
        <translation>zu lang für den Assistenten: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>within the limit</source>
        <translation>innerhalb der Grenze</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>the entry "{}" has no command and cannot be tested</source>
        <translation>der Eintrag „{}“ hat keinen Befehl und kann nicht getestet werden</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>To replace it, run: {}</source>
        <translation>Zum Ersetzen ausführen: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>the entry "{}" starts another program</source>
        <translation>Der Eintrag „{}“ startet ein anderes Programm</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>Turn on {0} in {1}.</source>
        <translation>{0} in {1} einschalten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>Run: {}</source>
        <translation>Ausführen: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>contains text that is not a message: {}</source>
        <translation>enthält Text, der keine Nachricht ist: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>in both protocol versions</source>
        <translation>in beiden Protokollversionen</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>{} available</source>
        <translation>{} verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>accepted by the assistant</source>
        <translation>vom Assistenten angenommen</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>no entry; run: {}</source>
        <translation>kein Eintrag; ausführen: {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>exits at the end of its input</source>
        <translation>endet mit seiner Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/clients/doctor.py"/>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>unexpected text after the closing bracket</source>
        <translation>unerwarteter Text nach der schließenden Klammer</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>unclosed comment</source>
        <translation>nicht geschlossener Kommentar</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>expected a value</source>
        <translation>hier fehlt ein Wert</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>brackets are nested too deeply</source>
        <translation>Klammern sind zu tief verschachtelt</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>expected , or }</source>
        <translation>hier fehlt „,“ oder „}“</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>expected a key in double quotes or "}"</source>
        <translation>hier fehlt ein Schlüssel in doppelten Anführungszeichen oder „}“</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>expected : after the key</source>
        <translation>nach dem Schlüssel fehlt „:“</translation>
    </message>
    <message>
        <location filename="../../app/clients/json_edit.py"/>
        <source>expected , or ]</source>
        <translation>hier fehlt „,“ oder „]“</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Another program removed WebRAG from the configuration of {}.</source>
        <translation>Ein anderes Programm hat WebRAG aus der Konfiguration von {} entfernt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Update the entry. {}</source>
        <translation>Den Eintrag aktualisieren. {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>The entry "{0}" in {1} uses the old address {2}. Another program there would receive the access token.</source>
        <translation>Der Eintrag „{0}“ in {1} verwendet die alte Adresse {2}. Ein anderes Programm dort bekäme das Zugangstoken.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Change it to {0}. {1}</source>
        <translation>Ändern Sie ihn in {0}. {1}</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>{} has not read its new configuration yet.</source>
        <translation>{} hat die neue Konfiguration noch nicht gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Restore the entry. {}</source>
        <translation>Den Eintrag wiederherstellen. {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>The entry "{0}" in {1} now starts a different program.</source>
        <translation>Der Eintrag „{0}“ in {1} startet jetzt ein anderes Programm.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Restore the WebRAG entry, unless you changed it yourself.</source>
        <translation>Den Eintrag für WebRAG wiederherstellen, außer Sie haben ihn selbst geändert.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>{} reads a configuration file without a WebRAG entry.</source>
        <translation>{} liest eine Konfigurationsdatei ohne Eintrag für WebRAG.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>Add the entry. {}</source>
        <translation>Den Eintrag hinzufügen. {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>The configuration file of {}, which had the WebRAG entry, was deleted.</source>
        <translation>Die Konfigurationsdatei von {} mit dem Eintrag für WebRAG wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>{0} starts {1}, which no longer exists.</source>
        <translation>{0} startet {1}, das es nicht mehr gibt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>{0} starts another installation of WebRAG: {1}.</source>
        <translation>{0} startet eine andere Installation von WebRAG: {1}.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>{} starts WebRAG with outdated options.</source>
        <translation>{} startet WebRAG mit veralteten Optionen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>{} no longer reads {}.</source>
        <translation>{} liest {} nicht mehr.</translation>
    </message>
    <message>
        <location filename="../../app/clients/monitor.py"/>
        <source>The MCP server of WebRAG is not running.</source>
        <translation>Der MCP-Server von WebRAG läuft nicht.</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>tools/list has more than {} pages</source>
        <translation>tools/list hat mehr als {} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>{} failed: {} ({})</source>
        <translation>{} ist fehlgeschlagen: {} ({})</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>{} returned neither a result nor an error</source>
        <translation>{} lieferte weder ein Ergebnis noch einen Fehler</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>tools/list takes longer than {} s for all pages</source>
        <translation>tools/list braucht für alle Seiten länger als {} s</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>cannot be started ({})</source>
        <translation>kann nicht gestartet werden ({})</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>wrote more than {} MiB without a response to {}</source>
        <translation>schrieb mehr als {} MiB ohne Antwort auf {}</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>exited before it responded to {}{}</source>
        <translation>endete vor der Antwort auf {}{}</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>closed its input{}</source>
        <translation>hat seine Eingabe geschlossen{}</translation>
    </message>
    <message>
        <location filename="../../app/clients/probe.py"/>
        <source>no response to {} within {} s</source>
        <translation>keine Antwort auf {} innerhalb von {} s</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>The entry "{}" starts another program. WebRAG replaces it and keeps a backup of the file.</source>
        <translation>Der Eintrag „{}“ startet ein anderes Programm. WebRAG ersetzt ihn und behält eine Sicherung der Datei.</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>The entry "{}" starts another program and is kept.</source>
        <translation>Der Eintrag „{}“ startet ein anderes Programm und bleibt erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>Another WebRAG entry remains: {}. Disconnect again to remove it.</source>
        <translation>Ein weiterer Eintrag von WebRAG bleibt: {}. Zum Entfernen noch einmal trennen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>The file contains comments or trailing commas, which {} may not accept.</source>
        <translation>Die Datei enthält Kommentare oder überzählige Kommas, die {} möglicherweise nicht annimmt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>{} was not found on this computer (no folder {}).</source>
        <translation>{} wurde auf diesem Computer nicht gefunden (kein Ordner {}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>Cannot delete a backup of the configuration file ({}).</source>
        <translation>Eine Sicherung der Konfigurationsdatei kann nicht gelöscht werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>Any other assistant</source>
        <translation>Anderer Assistent</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>In its MCP settings, in the list of servers.</source>
        <translation>In dessen MCP-Einstellungen, in der Liste der Server.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>Most assistants use this format. Some use another name for the list; compare with an existing entry.</source>
        <translation>Die meisten Assistenten verwenden dieses Format. Manche nennen die Liste anders; vergleichen Sie mit einem vorhandenen Eintrag.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>In a new file webrag.yaml in the folder .continue/mcpServers of your home folder or project.</source>
        <translation>In einer neuen Datei webrag.yaml im Ordner .continue/mcpServers des Benutzerordners oder Projekts.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>In librechat.yaml. Then restart LibreChat.</source>
        <translation>In librechat.yaml. Danach LibreChat neu starten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>Use the command only if LibreChat runs directly on this computer. In a container, it connects by address; docs/connect.md explains how to allow that.</source>
        <translation>Den Befehl nur verwenden, wenn LibreChat direkt auf diesem Computer läuft. In einem Container verbindet es sich über die Adresse; docs/connect.md beschreibt, wie man das zulässt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>In Admin Settings &gt; External Tools: add a server of type MCP (Streamable HTTP).</source>
        <translation>Unter „Admin Settings &gt; External Tools“: einen Server vom Typ MCP (Streamable HTTP) hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>In a container, it reaches this computer under another name; docs/connect.md explains how to allow that.</source>
        <translation>In einem Container erreicht es diesen Computer unter einem anderen Namen; docs/connect.md beschreibt, wie man das zulässt.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>Claude in the browser, ChatGPT</source>
        <translation>Claude im Browser, ChatGPT</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>Not possible: they can only use servers on the internet, but WebRAG only accepts connections from this computer.</source>
        <translation>Nicht möglich: Sie können nur Server im Internet verwenden, aber WebRAG nimmt nur Verbindungen von diesem Computer an.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>{} is not WebRAG's and is kept.</source>
        <translation>{} stammt nicht von WebRAG und bleibt erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/clients/snippets.py"/>
        <source>Use Claude Desktop or another assistant that runs on this computer.</source>
        <translation>Claude Desktop oder einen anderen Assistenten verwenden, der auf diesem Computer läuft.</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>The path is empty or too long.</source>
        <translation>Der Pfad ist leer oder zu lang.</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>{} leads out of the folder {}.</source>
        <translation>{} führt aus dem Ordner {} hinaus.</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>{} is not a plain path inside the folder.</source>
        <translation>{} ist kein einfacher Pfad innerhalb des Ordners.</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>Cannot find {} ({}).</source>
        <translation>{} wurde nicht gefunden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>{} contains characters that are not allowed in a path.</source>
        <translation>{} enthält Zeichen, die in einem Pfad nicht erlaubt sind.</translation>
    </message>
    <message>
        <location filename="../../app/containment.py"/>
        <source>{} is the name of a device, not of a file.</source>
        <translation>{} ist der Name eines Geräts, nicht einer Datei.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/checks.py"/>
        <source>SQLite does not find data that it just stored.</source>
        <translation>SQLite findet soeben gespeicherte Daten nicht.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/checks.py"/>
        <source>SQLite is incomplete ({}).</source>
        <translation>SQLite ist unvollständig ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/corpus.py"/>
        <source>Not enough disk space in {} to compact the library.</source>
        <translation>In {} ist nicht genug Speicherplatz, um die Bibliothek zu komprimieren.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/corpus.py"/>
        <source>{} is an inconsistent copy, made while WebRAG was writing to it ({}: {}).</source>
        <translation>{} ist eine uneinheitliche Kopie. Sie entstand, während WebRAG in die Datei schrieb ({}: {}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/corpus.py"/>
        <source>Free {} MB there, then try again.</source>
        <translation>Geben Sie dort {} MB frei, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>The disk of {} is full.</source>
        <translation>Der Datenträger von {} ist voll.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Another program is writing to {}.</source>
        <translation>Ein anderes Programm schreibt in {}.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>{} is damaged, or it is not a WebRAG library ({}).</source>
        <translation>{} ist beschädigt oder keine WebRAG-Bibliothek ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>{} is damaged: it contains invalid text ({}).</source>
        <translation>{} ist beschädigt: Die Datei enthält ungültigen Text ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Cannot read or write {} ({}).</source>
        <translation>{} kann nicht gelesen oder geschrieben werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>The text contains characters that cannot be stored ({}).</source>
        <translation>Der Text enthält Zeichen, die nicht gespeichert werden können ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>The library is closed.</source>
        <translation>Die Bibliothek ist geschlossen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Cannot write to {} ({}).</source>
        <translation>In {} kann nicht geschrieben werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>{} was deleted, moved or replaced while WebRAG used it.</source>
        <translation>{} wurde gelöscht, verschoben oder ersetzt, während WebRAG die Datei verwendet hat.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Cannot create {} ({}).</source>
        <translation>{} kann nicht angelegt werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>The library is busy with searches and cannot store anything yet.</source>
        <translation>Die Bibliothek ist mit Suchen ausgelastet und kann noch nichts speichern.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/docsets.py"/>
        <source>The index of the docset is damaged ({}).</source>
        <translation>Der Index des Docsets ist beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>The folder of {} was removed.</source>
        <translation>Der Ordner von {} wurde entfernt.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>The package of {} was removed.</source>
        <translation>Das Paket von {} wurde entfernt.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>The stored links exceed {} MiB.</source>
        <translation>Die gespeicherten Links sind größer als {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>The stored links of this page are incomplete.</source>
        <translation>Die gespeicherten Links dieser Seite sind unvollständig.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/document_writer.py"/>
        <source>The stored links of this page are damaged ({}).</source>
        <translation>Die gespeicherten Links dieser Seite sind beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/folders.py"/>
        <source>Use letters, digits, dots, dashes and underscores, at most {} characters.</source>
        <translation>Verwenden Sie Buchstaben, Ziffern, Punkte, Binde- und Unterstriche, höchstens {} Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/folders.py"/>
        <source>{} is not a valid folder name.</source>
        <translation>{} ist kein gültiger Ordnername.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/folders.py"/>
        <source>The name {} is reserved.</source>
        <translation>Der Name {} ist reserviert.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/folders.py"/>
        <source>Another folder is already named {}.</source>
        <translation>Ein anderer Ordner heißt bereits {}.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/jobs.py"/>
        <source>Job {} does not exist.</source>
        <translation>Den Auftrag {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/jobs.py"/>
        <source>Job {} does not contain {}.</source>
        <translation>Der Auftrag {} enthält {} nicht.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>A collection or tag needs a name.</source>
        <translation>Eine Sammlung oder ein Schlagwort braucht einen Namen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>The name has {} characters; at most {} are allowed.</source>
        <translation>Der Name hat {} Zeichen; höchstens {} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>The name contains an invisible character ({}).</source>
        <translation>Der Name enthält ein unsichtbares Zeichen ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>Similar names: {}.</source>
        <translation>Ähnliche Namen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>{}:{} does not exist.</source>
        <translation>{}:{} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>{} pages exceed the limit of {}.</source>
        <translation>{} Seiten überschreiten die Grenze von {}.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>The maximum of {} is reached.</source>
        <translation>Die Höchstzahl von {} ist erreicht.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>A page can have at most {} collections and tags.</source>
        <translation>Eine Seite kann höchstens {} Sammlungen und Schlagwörter haben.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/labels.py"/>
        <source>The name {} is already in use.</source>
        <translation>Der Name {} ist bereits vergeben.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Could not write the copy to {}: the disk is full.</source>
        <translation>Die Kopie konnte nicht nach {} geschrieben werden: Der Datenträger ist voll.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>{} belongs to another program.</source>
        <translation>{} gehört zu einem anderen Programm.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Not enough disk space to update the library: {} MB are free.</source>
        <translation>Nicht genug Speicherplatz, um die Bibliothek zu aktualisieren: {} MB sind frei.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>{} was written by a newer version of WebRAG ({}).</source>
        <translation>{} wurde von einer neueren WebRAG-Version geschrieben ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>{} was created by a development version of WebRAG and cannot be updated.</source>
        <translation>{} wurde von einer Entwicklungsversion von WebRAG angelegt und kann nicht aktualisiert werden.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Free {} MB in {}. Until then, the library stays as it is.</source>
        <translation>{} MB in {} freigeben. Bis dahin bleibt die Bibliothek, wie sie ist.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>A copy to {} is already in progress.</source>
        <translation>Eine Kopie nach {} läuft bereits.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Could not write the copy to {} ({}).</source>
        <translation>Die Kopie konnte nicht nach {} geschrieben werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/models.py"/>
        <source>The library has this model with {} dimensions, not {}.</source>
        <translation>Die Bibliothek hat dieses Modell mit {} Dimensionen, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/questions.py"/>
        <source>Cannot read the recorded questions: {} is damaged.</source>
        <translation>Die aufgezeichneten Fragen können nicht gelesen werden: {} ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/questions.py"/>
        <source>Cannot delete {} ({}).</source>
        <translation>{} kann nicht gelöscht werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/read_queue.py"/>
        <source>The library was busy for {} s.</source>
        <translation>Die Bibliothek war {} s lang ausgelastet.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>The backup {} is damaged ({}).</source>
        <translation>Die Sicherung {} ist beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Could not replace the library with the backup ({}).</source>
        <translation>Die Bibliothek konnte nicht durch die Sicherung ersetzt werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>{} is not a WebRAG backup.</source>
        <translation>{} ist keine WebRAG-Sicherung.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Cannot read the automatic backups in {} ({}).</source>
        <translation>Die automatischen Sicherungen in {} können nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>No automatic backup can be used.</source>
        <translation>Keine automatische Sicherung ist verwendbar.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Not enough disk space for the automatic backup.</source>
        <translation>Nicht genug Speicherplatz für die automatische Sicherung.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Cannot write automatic backups to {} ({}).</source>
        <translation>Automatische Sicherungen können nicht nach {} geschrieben werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>The copy of the library is damaged ({}).</source>
        <translation>Die Kopie der Bibliothek ist beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Cannot read the backup {} ({}).</source>
        <translation>Die Sicherung {} kann nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>{} is the current library.</source>
        <translation>{} ist die aktuelle Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>WebRAG backs up automatically as soon as {} MB are free.</source>
        <translation>WebRAG sichert automatisch, sobald {} MB frei sind.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/restore.py"/>
        <source>Another program is using {}.</source>
        <translation>Ein anderes Programm benutzt {}.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>{} does not contain any pages.</source>
        <translation>{} enthält keine Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>{} is not a WebRAG library.</source>
        <translation>{} ist keine WebRAG-Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>Cannot read any page of {}, only {} addresses.</source>
        <translation>Von {} ist keine Seite lesbar, nur {} Adressen.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/salvage.py"/>
        <source>Cannot read {}: the beginning of the file is damaged ({}).</source>
        <translation>{} kann nicht gelesen werden: Der Anfang der Datei ist beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/corpus/unread_files.py"/>
        <source>WebRAG ended while reading {}.</source>
        <translation>WebRAG wurde beim Lesen von {} beendet.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/vectors.py"/>
        <source>Nothing in this library is embedded yet.</source>
        <translation>In dieser Bibliothek gibt es noch keine Vektoren.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/vectors.py"/>
        <source>The library now uses another embedding model.</source>
        <translation>Die Bibliothek verwendet jetzt ein anderes Embedding-Modell.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/versions.py"/>
        <source>An earlier version of the page is too long.</source>
        <translation>Eine frühere Fassung der Seite ist zu lang.</translation>
    </message>
    <message>
        <location filename="../../app/corpus/versions.py"/>
        <source>An earlier version of the page is damaged ({}).</source>
        <translation>Eine frühere Fassung der Seite ist beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/desktop/backend.py"/>
        <source>WebRAG cannot listen on {}:{}: {}.</source>
        <translation>WebRAG kann {}:{} nicht öffnen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/backend.py"/>
        <source>WebRAG did not start: {}</source>
        <translation>WebRAG ist nicht gestartet: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>No supported files found.</source>
        <translation>Keine unterstützten Dateien gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>WebRAG does not read files larger than {} MiB.</source>
        <translation>WebRAG liest keine Dateien über {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/files.py"/>
        <source>{} does not contain bookmarks of web pages.</source>
        <translation>{} enthält keine Lesezeichen von Webseiten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Cannot write {}: {}.</source>
        <translation>{} lässt sich nicht schreiben: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>Cannot read the list of sites in {}: {}.</source>
        <translation>Die Liste der Websites in {} lässt sich nicht lesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{} has more than {} pages, the maximum to share at once.</source>
        <translation>{} hat mehr als {} Seiten. Mehr können nicht auf einmal geteilt werden.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>{} files</source>
        <translation>{} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>The folder {} is empty.</source>
        <translation>Der Ordner {} ist leer.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Skipped until changed, because WebRAG crashed while reading: {} ({}).</source>
        <translation>Bis zu einer Änderung übersprungen, weil WebRAG beim Lesen abgestürzt ist: {} ({}).</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Only the first {} files, up to {} folders deep, are pages.</source>
        <translation>Nur die ersten {} Dateien bis zu einer Tiefe von {} Ordnern sind Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Skipped because they are larger than {} MiB: {}.</source>
        <translation>Übersprungen, weil größer als {} MiB: {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Skipped because their names are not valid text: {}.</source>
        <translation>Übersprungen, weil der Name kein gültiger Text ist: {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>Subfolders that cannot be opened: {}.</source>
        <translation>Unterordner, die sich nicht öffnen lassen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>The folder {} cannot be read.</source>
        <translation>Der Ordner {} ist nicht lesbar.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>{} is no longer a regular file in this folder.</source>
        <translation>{} ist keine reguläre Datei in diesem Ordner mehr.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>The files could not be read.</source>
        <translation>Die Dateien konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>{} cannot be read.</source>
        <translation>{} ist nicht lesbar.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/indexing.py"/>
        <source>{} is not a regular file.</source>
        <translation>{} ist keine reguläre Datei.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>There is no documentation page {}.</source>
        <translation>Die Dokumentationsseite {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>Several folders have a page {}.</source>
        <translation>Mehrere Ordner haben eine Seite {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>There is no part {}.</source>
        <translation>Teil {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>The page {} has no section {}.</source>
        <translation>Die Seite {} hat keine Überschrift {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/pages.py"/>
        <source>There is no part {}. The last one is part {}.</source>
        <translation>Teil {} gibt es nicht. Der letzte ist Teil {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/search.py"/>
        <source>Keyword search only: there is no search model.</source>
        <translation>Nur Schlüsselwortsuche: Es gibt kein Suchmodell.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/search.py"/>
        <source>Keyword search only: {} of {} pages are not ready for semantic search yet.</source>
        <translation>Nur Schlüsselwortsuche: {} von {} Seiten sind noch nicht für die semantische Suche bereit.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/search.py"/>
        <source>Keyword search only: {}</source>
        <translation>Nur Schlüsselwortsuche: {}</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>The folder {} does not respond.</source>
        <translation>Der Ordner {} antwortet nicht.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Folder {}: {}</source>
        <translation>Ordner {}: {}</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>The query must have 1 to {} characters.</source>
        <translation>Die Anfrage muss 1 bis {} Zeichen haben.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>There is no category {}.</source>
        <translation>Die Kategorie {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>There is no folder named {}.</source>
        <translation>Einen Ordner namens {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Use one of these names: {}.</source>
        <translation>Einen dieser Namen verwenden: {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Its pages are not known yet.</source>
        <translation>Seine Seiten sind noch nicht bekannt.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>{} cannot be written ({}).</source>
        <translation>{} kann nicht geschrieben werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>The library does not contain symbols of {}.</source>
        <translation>Die Bibliothek enthält keine Symbole von {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>The page {} has just been removed.</source>
        <translation>Die Seite {} wurde soeben entfernt.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Its pages are as they were when WebRAG last read it.</source>
        <translation>Seine Seiten sind auf dem Stand, als WebRAG ihn zuletzt gelesen hat.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>{} already exists and is not an index.</source>
        <translation>{} existiert bereits und ist kein Index.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Read them from the installed copy: {}.</source>
        <translation>Aus der installierten Kopie lesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>Wait until WebRAG has read it, or read it again: {}.</source>
        <translation>Warten, bis WebRAG sie eingelesen hat, oder sie erneut einlesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/docsets/service.py"/>
        <source>The documentation of {} is not complete.</source>
        <translation>Die Dokumentation von {} ist nicht vollständig.</translation>
    </message>
    <message>
        <location filename="../../app/embed/embedder.py"/>
        <source>The embedding model returned values that are not numbers.</source>
        <translation>Das Embedding-Modell lieferte Werte, die keine Zahlen sind.</translation>
    </message>
    <message>
        <location filename="../../app/embed/embedder.py"/>
        <source>The embedding model returned values of length {} instead of 1.</source>
        <translation>Das Embedding-Modell lieferte Werte der Länge {} statt 1.</translation>
    </message>
    <message>
        <location filename="../../app/embed/embedder.py"/>
        <source>The embedding model returned values that are all equal.</source>
        <translation>Das Embedding-Modell lieferte Werte, die alle gleich sind.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: WebRAG does not know the kind {}.</source>
        <translation>{}: WebRAG kennt die Art {} nicht.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: pooling must be one of {}.</source>
        <translation>{}: pooling muss einer dieser Werte sein: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: dimension must be a multiple of 8.</source>
        <translation>{}: dimension muss ein Vielfaches von 8 sein.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: {} is too small.</source>
        <translation>{}: {} ist zu klein.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: only models with normalized output can be used.</source>
        <translation>{}: Nur Modelle mit normalisierter Ausgabe können verwendet werden.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: {} is not the name of a file in this folder.</source>
        <translation>{}: {} ist kein Name einer Datei in diesem Ordner.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: {} is missing in [files].</source>
        <translation>{}: {} fehlt in [files].</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{} does not fit a model with {} dimensions.</source>
        <translation>{} passt nicht zu einem Modell mit {} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{} does not list the hashes of the model's files.</source>
        <translation>In {} fehlen die Prüfsummen der Modelldateien.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{}: {} is missing or not of type {}.</source>
        <translation>{}: {} fehlt oder ist nicht vom Typ {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{} is a reranker.</source>
        <translation>{} ist ein Reranker.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{} is not a reranker.</source>
        <translation>{} ist kein Reranker.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{} is damaged or does not match {}.</source>
        <translation>{} ist beschädigt oder passt nicht zu {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>{} reads files that {} does not list: {}.</source>
        <translation>{} liest Dateien, die in {} fehlen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>WebRAG cannot read {}: {}.</source>
        <translation>WebRAG kann {} nicht lesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/folder.py"/>
        <source>No model in {}: {}.</source>
        <translation>Kein Modell in {}: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The embedding server returned {} dimensions instead of {}.</source>
        <translation>Der Embedding-Server lieferte {} statt {} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The address of the embedding server is not a web address.</source>
        <translation>Die Adresse des Embedding-Servers ist keine Webadresse.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The key of the embedding server contains invalid characters.</source>
        <translation>Der Schlüssel des Embedding-Servers enthält ungültige Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The embedding server {} returned status {}.</source>
        <translation>Der Embedding-Server {} antwortete mit Status {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The embedding server {} returned an invalid response.</source>
        <translation>Der Embedding-Server {} lieferte eine ungültige Antwort.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The embedding server {} did not respond in time.</source>
        <translation>Der Embedding-Server {} hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>WebRAG cannot reach the embedding server {}.</source>
        <translation>WebRAG kann den Embedding-Server {} nicht erreichen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>The embedding server {} returned a response that is too large.</source>
        <translation>Der Embedding-Server {} lieferte eine zu große Antwort.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} cannot be the name of a model.</source>
        <translation>{} kann nicht der Name eines Modells sein.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} is already added.</source>
        <translation>{} ist schon hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} is in use.</source>
        <translation>{} ist in Gebrauch.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} is not an added model.</source>
        <translation>{} ist kein hinzugefügtes Modell.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} needs {} MB of free space.</source>
        <translation>{} braucht {} MB freien Speicherplatz.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>The download of {} from {} was interrupted: {}.</source>
        <translation>Der Download von {} von {} wurde unterbrochen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} is not the file that WebRAG expects: its SHA-256 is wrong.</source>
        <translation>{} ist nicht die erwartete Datei: Ihr SHA-256 ist falsch.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>WebRAG cannot write to {}: {}.</source>
        <translation>WebRAG kann nicht in {} schreiben: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} is not a web address ({}).</source>
        <translation>{} ist keine Webadresse ({}).</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>Preparing {}</source>
        <translation>{} wird vorbereitet</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} does not contain {}.</source>
        <translation>{} enthält {} nicht.</translation>
    </message>
    <message>
        <location filename="../../app/embed/models.py"/>
        <source>{} returned status {} for {}.</source>
        <translation>{} hat für {} den Status {} zurückgegeben.</translation>
    </message>
    <message>
        <location filename="../../app/embed/onnx.py"/>
        <source>The model needs unknown inputs: {}.</source>
        <translation>Das Modell braucht unbekannte Eingaben: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/onnx.py"/>
        <source>The embedding model returned {} instead of {} dimensions.</source>
        <translation>Das Embedding-Modell lieferte {} statt {} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/onnx.py"/>
        <source>The model failed: {}.</source>
        <translation>Das Modell ist fehlgeschlagen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/embed/onnx.py"/>
        <source>The embedding model was closed.</source>
        <translation>Das Embedding-Modell wurde geschlossen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/reranker.py"/>
        <source>The model runs, but does not distinguish related from unrelated sentences.</source>
        <translation>Das Modell läuft, unterscheidet aber verwandte nicht von fremden Sätzen.</translation>
    </message>
    <message>
        <location filename="../../app/embed/reranker.py"/>
        <source>The reranker returned {} numbers instead of one.</source>
        <translation>Der Reranker hat {} Zahlen statt einer zurückgegeben.</translation>
    </message>
    <message>
        <location filename="../../app/embed/reranker.py"/>
        <source>The reranker returned a value that is not a number.</source>
        <translation>Der Reranker hat einen Wert zurückgegeben, der keine Zahl ist.</translation>
    </message>
    <message>
        <location filename="../../app/engine/__init__.py"/>
        <source>{} is set, but only {} can open a shared library.</source>
        <translation>{} ist gesetzt, aber nur {} kann eine gemeinsame Bibliothek öffnen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/__init__.py"/>
        <source>Unset {}, or start that server.</source>
        <translation>{} entfernen oder diesen Server starten.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>{} does not exist, or you do not have permission to read it.</source>
        <translation>{} existiert nicht oder Sie dürfen die Datei nicht lesen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>{} already exists.</source>
        <translation>{} existiert bereits.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>This database does not contain a library.</source>
        <translation>Diese Datenbank enthält keine Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>The target collection is not clear.</source>
        <translation>Die Zielsammlung ist nicht eindeutig.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>The library does not have a collection {}.</source>
        <translation>Die Bibliothek hat keine Sammlung {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>Pass --collection with one of: {}.</source>
        <translation>--collection mit einem dieser Werte angeben: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/copying.py"/>
        <source>Available collections: {}.</source>
        <translation>Verfügbare Sammlungen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>The texts are too long to compare.</source>
        <translation>Die Texte sind zu lang für einen Vergleich.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>Call {} or {} with the address first.</source>
        <translation>Zuerst {} oder {} mit der Adresse aufrufen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>WebRAG cannot read its earlier text.</source>
        <translation>WebRAG kann den früheren Text nicht lesen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>Not indexed: {}.</source>
        <translation>Nicht indexiert: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>A shared library does not support private collections, tags or earlier texts.</source>
        <translation>Eine gemeinsame Bibliothek unterstützt keine privaten Sammlungen, Schlagwörter und früheren Texte.</translation>
    </message>
    <message>
        <location filename="../../app/engine/documents.py"/>
        <source>{} does not contain any pages yet.</source>
        <translation>{} enthält noch keine Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/engine/erasing.py"/>
        <source>Some data could not be deleted: {}.</source>
        <translation>Einige Daten konnten nicht gelöscht werden: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>The library on this computer is damaged ({}), so passages may be missing. Tell the user to repair it in Settings &gt; Storage of WebRAG, or with {} or {}.</source>
        <translation>Die Bibliothek auf diesem Computer ist beschädigt ({}), daher können Textstellen fehlen. Der Benutzer kann sie unter Einstellungen &gt; Speicher in WebRAG oder mit {} oder {} reparieren.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>{} Stored pages can be searched; new ones cannot be stored until there is space.</source>
        <translation>{} Gespeicherte Seiten können durchsucht werden; neue können erst gespeichert werden, wenn wieder Platz ist.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>No URL is given.</source>
        <translation>Es ist keine URL angegeben.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>The user paused WebRAG.</source>
        <translation>Der Benutzer hat WebRAG angehalten.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>{} is a page of the shared library {}.</source>
        <translation>{} ist eine Seite der gemeinsamen Bibliothek {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Only a node of a shared library can store pages in a given collection. This library is private.</source>
        <translation>Nur ein Knoten einer gemeinsamen Bibliothek kann Seiten in einer angegebenen Sammlung speichern. Diese Bibliothek ist privat.</translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>This only works on a node of a shared library.</source>
        <translation>Das ist nur auf einem Knoten einer gemeinsamen Bibliothek möglich.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>These results come from your private library only.</source>
        <translation>Diese Ergebnisse stammen nur aus Ihrer privaten Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>You cannot write to any collection. Ask the library's administrator.</source>
        <translation>Sie können in keine Sammlung schreiben. Fragen Sie den Administrator der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} does not exist or is turned off.</source>
        <translation>Die Bibliothek {} existiert nicht oder ist ausgeschaltet.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} asks you to sign in again.</source>
        <translation>Die Bibliothek {} verlangt, dass Sie sich neu anmelden.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>You can write to: {}.</source>
        <translation>Sie können schreiben in: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>You cannot share pages to {}.</source>
        <translation>In {} können Sie keine Seiten teilen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>Available libraries: {}.</source>
        <translation>Verfügbare Bibliotheken: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>You have not joined a library named {}.</source>
        <translation>Sie sind keiner Bibliothek namens {} beigetreten.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} does not respond.</source>
        <translation>Die Bibliothek {} antwortet nicht.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} is busy. Ask again in a few seconds.</source>
        <translation>Die Bibliothek {} ist ausgelastet. Fragen Sie in einigen Sekunden erneut.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} returned nothing: {}</source>
        <translation>Die Bibliothek {} lieferte nichts: {}</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} has more pages of these sites than the {} that were searched. Ask only that library to search all of them.</source>
        <translation>Die Bibliothek {} enthält mehr Seiten dieser Websites als die {} durchsuchten. Fragen Sie nur diese Bibliothek, um alle zu durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>It was not searched.</source>
        <translation>Sie wurde nicht durchsucht.</translation>
    </message>
    <message>
        <location filename="../../app/engine/libraries.py"/>
        <source>The library {} did not respond within {} s.</source>
        <translation>Die Bibliothek {} hat nicht innerhalb von {} s geantwortet.</translation>
    </message>
    <message>
        <location filename="../../app/engine/lifecycle.py"/>
        <source>WebRAG is updating the library for its new version ({} %).</source>
        <translation>WebRAG aktualisiert die Bibliothek für die neue Version ({} %).</translation>
    </message>
    <message>
        <location filename="../../app/engine/lifecycle.py"/>
        <source>WebRAG is not running.</source>
        <translation>WebRAG läuft nicht.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>This build does not have an address for update checks.</source>
        <translation>Diese Version hat keine Adresse für die Suche nach Updates.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>The address for update checks must start with https://.</source>
        <translation>Die Adresse für die Suche nach Updates muss mit https:// beginnen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>The update feed returned status {}.</source>
        <translation>Die Updateliste antwortete mit Status {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>The update feed is too large.</source>
        <translation>Die Updateliste ist zu groß.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>The update feed does not list a version.</source>
        <translation>Die Updateliste enthält keine Version.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>There is no embedding model to test.</source>
        <translation>Es gibt kein Embedding-Modell, das geprüft werden kann.</translation>
    </message>
    <message>
        <location filename="../../app/engine/maintenance.py"/>
        <source>No embedding server is set.</source>
        <translation>Es ist kein Embedding-Server eingetragen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/models.py"/>
        <source>The vectors of {} differ from its reference vectors.</source>
        <translation>Die Vektoren von {} weichen von den Referenzvektoren ab.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>{} must be a number from {} to {}, not {}.</source>
        <translation>{} muss eine Zahl von {} bis {} sein, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>{} must be one word of letters, digits and symbols.</source>
        <translation>{} muss ein Wort aus Buchstaben, Ziffern und Symbolen sein.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>{} is set, but not {}.</source>
        <translation>{} ist gesetzt, aber nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>{} cannot be {}.</source>
        <translation>{} kann nicht {} sein.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>{} must be true or false, not {}.</source>
        <translation>{} muss true oder false sein, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>No collection {}, or you cannot write to it.</source>
        <translation>Die Sammlung {} existiert nicht oder Sie können nicht in sie schreiben.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>{} must be an address that starts with https://.</source>
        <translation>{} muss eine Adresse sein, die mit https:// beginnt.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>No collection {}, or you do not have access to it.</source>
        <translation>Die Sammlung {} existiert nicht oder Sie haben keinen Zugriff auf sie.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>Too many calls are waiting for the database.</source>
        <translation>Zu viele Aufrufe warten auf die Datenbank.</translation>
    </message>
    <message>
        <location filename="../../app/engine/node.py"/>
        <source>You have access to: {}.</source>
        <translation>Sie haben Zugriff auf: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>{} of its pages cannot be read.</source>
        <translation>{} der Seiten können nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>Only the first {} pages are stored.</source>
        <translation>Nur die ersten {} Seiten sind gespeichert.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>{} is not installed in the project.</source>
        <translation>{} ist im Projekt nicht installiert.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>The copy of {} does not contain documentation.</source>
        <translation>Die Kopie von {} enthält keine Dokumentation.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>No known project uses {}.</source>
        <translation>Kein bekanntes Projekt verwendet {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>A shared library does not contain packages.</source>
        <translation>Eine gemeinsame Bibliothek enthält keine Pakete.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>{} contains neither a lock file nor installed packages.</source>
        <translation>{} enthält weder eine Lockdatei noch installierte Pakete.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>The user does not let assistants add packages.</source>
        <translation>Assistenten dürfen keine Pakete hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>No known project uses {}, and the user only lets assistants add packages of projects.</source>
        <translation>Kein bekanntes Projekt verwendet {}, und Assistenten dürfen nur Pakete von Projekten hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>{} does not contain pages.</source>
        <translation>{} enthält keine Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/engine/packages.py"/>
        <source>The packages use {} GiB, which is the limit.</source>
        <translation>Die Pakete belegen {} GiB, das ist die Grenze.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>This page does not exist, or you do not have access to it.</source>
        <translation>Diese Seite existiert nicht oder Sie haben keinen Zugriff auf sie.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>This list cannot continue from the given position.</source>
        <translation>Diese Liste kann an der angegebenen Stelle nicht fortgesetzt werden.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>The sections of the page are not in the order of its text.</source>
        <translation>Die Teile der Seite stehen nicht in der Reihenfolge ihres Textes.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>{} has an invalid value: {}.</source>
        <translation>{} hat einen ungültigen Wert: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>The collection {} belongs to other users, and another user added the page.</source>
        <translation>Die Sammlung {} gehört anderen Benutzern, und ein anderer Benutzer hat die Seite hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>You cannot write to this collection.</source>
        <translation>Sie können nicht in diese Sammlung schreiben.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>Leave it out, or use one of: {}.</source>
        <translation>Weglassen oder einen dieser Werte verwenden: {}.</translation>
    </message>
    <message>
        <location filename="../../app/engine/shared_pages.py"/>
        <source>Only owners of the collection can hide its pages.</source>
        <translation>Nur Besitzer der Sammlung können ihre Seiten ausblenden.</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>{} has the type {}, which cannot be read as text.</source>
        <translation>{} hat den Typ {} und ist nicht als Text lesbar.</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>an image</source>
        <translation>ein Bild</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>a media file</source>
        <translation>eine Mediendatei</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>a compressed file</source>
        <translation>eine komprimierte Datei</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>{} is empty.</source>
        <translation>{} ist leer.</translation>
    </message>
    <message>
        <location filename="../../app/extract/__init__.py"/>
        <source>{} is {}, which cannot be read as text.</source>
        <translation>{} ist {} und kann nicht als Text gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/extract/book_markup.py"/>
        <source>{} is not valid XML, or too large.</source>
        <translation>{} ist kein gültiges XML oder zu groß.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>Only the first {} entries were read.</source>
        <translation>Nur die ersten {} Einträge wurden gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>{} is a sitemap: a list of pages without text.</source>
        <translation>{} ist eine Sitemap: eine Liste von Seiten ohne Text.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>{} is an XML file that is neither a web page nor a feed.</source>
        <translation>{} ist eine XML-Datei, die weder eine Webseite noch ein Feed ist.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>{} is a feed without entries.</source>
        <translation>{} ist ein Feed ohne Einträge.</translation>
    </message>
    <message>
        <location filename="../../app/extract/feed.py"/>
        <source>{} is a feed without text.</source>
        <translation>{} ist ein Feed ohne Text.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>The page builds most of its text with JavaScript. WebRAG could only read the text that the server sent.</source>
        <translation>Die Seite erzeugt ihren Text größtenteils mit JavaScript. WebRAG konnte nur den vom Server gesendeten Text lesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>The site says that this page was not found (although it returned status 200).</source>
        <translation>Die Website meldet, dass diese Seite nicht gefunden wurde (trotz Status 200).</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>The site seems to show a failure or an outage instead of the page (although it returned status 200).</source>
        <translation>Die Website scheint statt der Seite einen Fehler oder eine Störung zu zeigen (obwohl sie den Status 200 zurückgab).</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>{} has no text without JavaScript.</source>
        <translation>{} enthält ohne JavaScript keinen Text.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>{} has no text and only shows other pages in frames: {}.</source>
        <translation>{} enthält keinen Text und zeigt nur andere Seiten in Frames: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>{} has no readable text.</source>
        <translation>{} enthält keinen lesbaren Text.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>{} requires you to sign in.</source>
        <translation>{} erfordert eine Anmeldung.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>{} asks visitors to prove that they are human.</source>
        <translation>{} verlangt von Besuchern den Nachweis, dass sie Menschen sind.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>The page redirects browsers to another address: {}.</source>
        <translation>Die Seite leitet Browser zu einer anderen Adresse weiter: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>{} has no text and only redirects to {}.</source>
        <translation>{} enthält keinen Text und leitet nur zu {} weiter.</translation>
    </message>
    <message>
        <location filename="../../app/extract/html.py"/>
        <source>Use the page's Markdown version: {}</source>
        <translation>Die Markdown-Fassung der Seite verwenden: {}</translation>
    </message>
    <message>
        <location filename="../../app/extract/markdown.py"/>
        <source>Parts of this very large file are shown as source text.</source>
        <translation>Teile dieser sehr großen Datei werden als Quelltext gezeigt.</translation>
    </message>
    <message>
        <location filename="../../app/extract/markup.py"/>
        <source>Files that this one includes are not read: {}.</source>
        <translation>Eingebundene Dateien werden nicht gelesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/markup.py"/>
        <source>This file is too large or damaged and is shown as source text.</source>
        <translation>Diese Datei ist zu groß oder beschädigt und wird als Quelltext gezeigt.</translation>
    </message>
    <message>
        <location filename="../../app/extract/messages.py"/>
        <source>Skipped messages: {}.</source>
        <translation>Übersprungene Nachrichten: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/messages.py"/>
        <source>{} does not contain a web page.</source>
        <translation>{} enthält keine Webseite.</translation>
    </message>
    <message>
        <location filename="../../app/extract/messages.py"/>
        <source>Skipped damaged, empty or too large attachments: {}.</source>
        <translation>Übersprungene beschädigte, leere oder zu große Anhänge: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/messages.py"/>
        <source>{} is damaged.</source>
        <translation>{} ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../../app/extract/notebook.py"/>
        <source>Only the first {0} of {1} cells were read.</source>
        <translation>Nur die ersten {0} von {1} Zellen wurden gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/notebook.py"/>
        <source>Only the first {} characters of long outputs were read.</source>
        <translation>Von langen Ausgaben wurden nur die ersten {} Zeichen gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/book.py"/>
        <source>Chapters missing from the file: {}.</source>
        <translation>In der Datei fehlende Kapitel: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/book.py"/>
        <source>{} is copy-protected (DRM).</source>
        <translation>{} ist kopiergeschützt (DRM).</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/opendocument.py"/>
        <source>Text deleted with tracked changes is not included.</source>
        <translation>In Überarbeitungen gelöschter Text ist nicht enthalten.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/opendocument.py"/>
        <source>Slides that are marked as hidden: {}.</source>
        <translation>Folien, die als ausgeblendet markiert sind: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/package.py"/>
        <source>{} is too large to read.</source>
        <translation>{} ist zu groß zum Einlesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/package.py"/>
        <source>{} is protected with a password.</source>
        <translation>{} ist mit einem Passwort geschützt.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>{} has the old Word format (.doc).</source>
        <translation>{} hat das alte Word-Format (.doc).</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>{} does not contain files that WebRAG can read.</source>
        <translation>{} enthält keine Dateien, die WebRAG lesen kann.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>{} has the old PowerPoint format (.ppt).</source>
        <translation>{} hat das alte PowerPoint-Format (.ppt).</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>Skipped damaged, empty or too large files in the archive: {}.</source>
        <translation>Übersprungene beschädigte, leere oder zu große Dateien im Archiv: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>{} is an Outlook message (.msg).</source>
        <translation>{} ist eine Outlook-Nachricht (.msg).</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/readers.py"/>
        <source>{} has an old Office format.</source>
        <translation>{} hat ein altes Office-Format.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/slides.py"/>
        <source>Hidden slides (marked in the text): {}.</source>
        <translation>Ausgeblendete Folien (im Text gekennzeichnet): {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/slides.py"/>
        <source>Only the first {0} of {1} slides were read.</source>
        <translation>Nur die ersten {0} von {1} Folien wurden gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/office/word.py"/>
        <source>Skipped damaged, empty or too large files in the document: {}.</source>
        <translation>Übersprungene beschädigte, leere oder zu große Dateien im Dokument: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/page.py"/>
        <source>The file is damaged. Only the text before the damage was read.</source>
        <translation>Die Datei ist beschädigt. Nur der Text vor dem Schaden wurde gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>{} has no text layer, only images (pages: {}).</source>
        <translation>{} hat keine Textebene, nur Bilder (Seiten: {}).</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>The fonts of {} do not name their letters, so its text cannot be read.</source>
        <translation>Die Schriften von {} benennen ihre Buchstaben nicht, daher lässt sich der Text nicht lesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Attached files are not read: {}.</source>
        <translation>Angehängte Dateien werden nicht gelesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Only the first {0} of {1} pages were read.</source>
        <translation>Nur die ersten {0} von {1} Seiten wurden gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>The text of {0} of {1} pages cannot be read, because its fonts do not name the letters.</source>
        <translation>Der Text von {0} von {1} Seiten lässt sich nicht lesen, weil seine Schriften die Buchstaben nicht benennen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>{0} of {1} pages have no text and may be scanned images.</source>
        <translation>{0} von {1} Seiten haben keinen Text und sind vermutlich gescannte Bilder.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Only the first {} characters were kept.</source>
        <translation>Nur die ersten {} Zeichen wurden behalten.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>The image at {} was not saved: {}.</source>
        <translation>Das Bild unter {} wurde nicht gespeichert: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>the file is too large</source>
        <translation>die Datei ist zu groß</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>it has too many pixels</source>
        <translation>es hat zu viele Pixel</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>it is damaged or not an image</source>
        <translation>es ist beschädigt oder kein Bild</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>it cannot be compressed enough</source>
        <translation>es lässt sich nicht genug verkleinern</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>it has {} × {} pixels</source>
        <translation>es hat {} × {} Pixel</translation>
    </message>
    <message>
        <location filename="../../app/extract/pictures.py"/>
        <source>it is too small</source>
        <translation>es ist zu klein</translation>
    </message>
    <message>
        <location filename="../../app/extract/plain.py"/>
        <source>{} is not text.</source>
        <translation>{} ist kein Text.</translation>
    </message>
    <message>
        <location filename="../../app/extract/sheet_text.py"/>
        <source>Skipped hidden sheets: {}.</source>
        <translation>Übersprungene ausgeblendete Blätter: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/sheet_text.py"/>
        <source>Skipped hidden rows: {}.</source>
        <translation>Übersprungene ausgeblendete Zeilen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/sheet_text.py"/>
        <source>Skipped hidden columns: {}.</source>
        <translation>Übersprungene ausgeblendete Spalten: {}.</translation>
    </message>
    <message>
        <location filename="../../app/extract/sheet_text.py"/>
        <source>Only the first {} cells were read.</source>
        <translation>Nur die ersten {} Zellen wurden gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/sheet_text.py"/>
        <source>Only the first {} columns were read.</source>
        <translation>Nur die ersten {} Spalten wurden gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/extract/source.py"/>
        <source>{} is a generated file.</source>
        <translation>{} ist eine generierte Datei.</translation>
    </message>
    <message>
        <location filename="../../app/extract/writer/document.py"/>
        <source>Only the first {0} of {1} links were kept.</source>
        <translation>Nur die ersten {0} von {1} Links wurden behalten.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/background.py"/>
        <source>WebRAG is quitting and has stopped preparing pages for semantic search.</source>
        <translation>WebRAG wird beendet und bereitet keine Seiten mehr für die semantische Suche vor.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/background.py"/>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <location filename="../../app/ingest/background.py"/>
        <source>on battery</source>
        <translation>im Akkubetrieb</translation>
    </message>
    <message>
        <location filename="../../app/ingest/background.py"/>
        <source>Preparing pages for semantic search failed ({}).</source>
        <translation>Seiten konnten nicht für die semantische Suche vorbereitet werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Redirects to {}, which is outside the crawl.</source>
        <translation>Leitet zu {} weiter, außerhalb des Bereichs.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Stopped at the limit of {} pages. The site has more.</source>
        <translation>Am Limit von {} Seiten angehalten. Die Website hat mehr.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Addresses disallowed by robots.txt: {}.</source>
        <translation>Durch robots.txt ausgeschlossene Adressen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Same page as {}</source>
        <translation>Dieselbe Seite wie {}</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>WebRAG quit before it saved the list.</source>
        <translation>WebRAG wurde beendet, bevor die Liste gespeichert war.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>A crawl indexes {} to {} pages, not {}.</source>
        <translation>Ein Durchlauf indexiert {} bis {} Seiten, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>A crawl follows {} to {} links in a row, not {}.</source>
        <translation>Ein Durchlauf folgt {} bis {} Links nacheinander, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>A crawl excludes up to {} folders, not {}.</source>
        <translation>Ein Durchlauf schließt höchstens {} Ordner aus, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>“{}” is not a folder of a site.</source>
        <translation>„{}“ ist kein Ordner einer Website.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>The stored options of this crawl are invalid.</source>
        <translation>Die gespeicherten Optionen dieses Durchlaufs sind ungültig.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The start page cannot be read: {}</source>
        <translation>Die Startseite kann nicht gelesen werden: {}</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>This preview does not include the site's own lists of pages. The crawl reads them.</source>
        <translation>Diese Vorschau enthält nicht die eigenen Seitenlisten der Website. Erst der Durchlauf liest sie.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The site asks for {} seconds between requests.</source>
        <translation>Die Website verlangt {} Sekunden zwischen Anfragen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The start page does not allow indexing and will not be stored.</source>
        <translation>Die Startseite erlaubt keine Indexierung und wird nicht gespeichert.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The start page does not allow WebRAG to follow its links.</source>
        <translation>Die Startseite erlaubt WebRAG nicht, ihren Links zu folgen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The crawl indexes only pages below {}.</source>
        <translation>Der Durchlauf indexiert nur Seiten unterhalb von {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The site has at least {} pages.</source>
        <translation>Die Website hat mindestens {} Seiten.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The crawl will index {0} of {1} known pages. Raise the limit to index more.</source>
        <translation>Der Durchlauf indexiert {0} von {1} bekannten Seiten. Für mehr das Limit erhöhen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The site asks for {0} seconds between requests. WebRAG waits {1} seconds at most.</source>
        <translation>Die Website verlangt {0} Sekunden zwischen Anfragen. WebRAG wartet höchstens {1} Sekunden.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>The crawl may find more pages as it follows links.</source>
        <translation>Der Durchlauf kann über Links weitere Seiten finden.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/preview.py"/>
        <source>{} has not been read yet.</source>
        <translation>{} wurde noch nicht gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/site_sources.py"/>
        <source>The site's {0} could not be read: {1}</source>
        <translation>{0} der Website konnte nicht gelesen werden: {1}</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>{} is larger than {} MiB.</source>
        <translation>{} ist größer als {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>{} is not the address of a local file.</source>
        <translation>{} ist nicht die Adresse einer lokalen Datei.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>{} is a link or not an absolute path.</source>
        <translation>{} ist eine Verknüpfung oder kein absoluter Pfad.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>{} cannot be read ({}).</source>
        <translation>{} kann nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>{} was not found ({}).</source>
        <translation>{} wurde nicht gefunden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>Subfolders that cannot be opened: {}, for example {}.</source>
        <translation>Unterordner, die sich nicht öffnen lassen: {}, zum Beispiel {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>Larger than {} MiB.</source>
        <translation>Größer als {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>The folder {} is empty. WebRAG keeps its pages ({}).</source>
        <translation>Der Ordner {} ist leer. WebRAG behält seine Seiten ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>WebRAG reads only the first {} files, up to {} folders deep.</source>
        <translation>WebRAG liest nur die ersten {} Dateien bis zu einer Tiefe von {} Ordnern.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>The file no longer exists.</source>
        <translation>Die Datei existiert nicht mehr.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>{} is not in the folder {}.</source>
        <translation>{} ist nicht im Ordner {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>WebRAG does not have permission to list {}.</source>
        <translation>WebRAG hat keine Berechtigung, {} aufzulisten.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>{} is not the full path of a folder.</source>
        <translation>{} ist nicht der vollständige Pfad eines Ordners.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>{} is too large to add: it contains your whole home folder.</source>
        <translation>{} ist zu groß zum Hinzufügen: Der Ordner enthält Ihr gesamtes Benutzerverzeichnis.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>{} is not a folder.</source>
        <translation>{} ist kein Ordner.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>The folder {} was not found.</source>
        <translation>Der Ordner {} wurde nicht gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>The page was saved from the browser and can only be refreshed by saving it there again.</source>
        <translation>Die Seite wurde aus dem Browser gespeichert und lässt sich nur dort durch erneutes Speichern aktualisieren.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>A list must have 1 to {} addresses, not {}.</source>
        <translation>Eine Liste muss 1 bis {} Adressen haben, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>{} contains the folder {}, which is already added.</source>
        <translation>{} enthält den Ordner {}, der bereits hinzugefügt ist.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>The folder {} was not added.</source>
        <translation>Der Ordner {} wurde nicht hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>A shared library does not support watched folders or private collections.</source>
        <translation>Eine gemeinsame Bibliothek unterstützt weder überwachte Ordner noch private Sammlungen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>The folder {} was removed.</source>
        <translation>Der Ordner {} wurde entfernt.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>{} is already included in the added folder {}.</source>
        <translation>{} ist bereits im hinzugefügten Ordner {} enthalten.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Remove {} first, then add this one.</source>
        <translation>Zuerst {} entfernen, dann diesen Ordner hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/outcome.py"/>
        <source>Ask the user to add the file or its folder in WebRAG (Library &gt; Add, or the command webrag import). Activity &gt; Jobs shows why a file of an added folder was not read.</source>
        <translation>Bitten Sie den Benutzer, die Datei oder ihren Ordner in WebRAG hinzuzufügen (Bibliothek &gt; Hinzufügen oder der Befehl webrag import). Aktivität &gt; Aufträge zeigt, warum eine Datei eines hinzugefügten Ordners nicht gelesen wurde.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/outcome.py"/>
        <source>{} {}; the stored copy was used (read {}).</source>
        <translation>{} {}; verwendet wurde die gespeicherte Kopie (gelesen {}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/outcome.py"/>
        <source>The page</source>
        <translation>Die Seite</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>was saved from the browser and can only be refreshed by saving it there again</source>
        <translation>wurde aus dem Browser gespeichert und lässt sich nur dort durch erneutes Speichern aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>could not be refreshed ({})</source>
        <translation>konnte nicht aktualisiert werden ({})</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>{} was deleted while WebRAG was reading it.</source>
        <translation>{} wurde gelöscht, während WebRAG die Seite las.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>{} is not in the library.</source>
        <translation>{} ist nicht in der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/pipeline.py"/>
        <source>{} is not a page of the guide.</source>
        <translation>{} ist keine Seite der Anleitung.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>Saved from the browser, as shown to the user signed in there. WebRAG does not refresh it automatically.</source>
        <translation>Aus dem Browser gespeichert, wie dort für den angemeldeten Benutzer angezeigt. WebRAG aktualisiert die Seite nicht automatisch.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>Only a selection of the page was saved.</source>
        <translation>Nur eine Auswahl der Seite wurde gespeichert.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>was saved from the browser and can only be replaced under its own address</source>
        <translation>wurde aus dem Browser gespeichert und lässt sich nur unter ihrer eigenen Adresse ersetzen</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>was saved from the browser while WebRAG was fetching it</source>
        <translation>wurde aus dem Browser gespeichert, während WebRAG sie abrief</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>now redirects to {}, which has a different text</source>
        <translation>leitet jetzt zu {} mit einem anderen Text weiter</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>is much shorter than before ({} instead of {} characters)</source>
        <translation>ist viel kürzer als vorher ({} statt {} Zeichen)</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>{} was stored before and now leads here.</source>
        <translation>{} war schon gespeichert und führt jetzt hierher.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>{} does not allow programs to index it.</source>
        <translation>{} erlaubt Programmen keine Indexierung.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>now says that it was not found</source>
        <translation>meldet jetzt, dass sie nicht gefunden wurde</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>now seems to show a failure or an outage</source>
        <translation>scheint jetzt einen Fehler oder eine Störung zu zeigen</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>now needs JavaScript</source>
        <translation>braucht jetzt JavaScript</translation>
    </message>
    <message>
        <location filename="../../app/ingest/policies.py"/>
        <source>now only redirects to another address</source>
        <translation>leitet jetzt nur noch zu einer anderen Adresse weiter</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>WebRAG read its Markdown version, {}.</source>
        <translation>WebRAG hat die Markdown-Fassung gelesen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>{} could not be read: the process that reads files crashed ({}).</source>
        <translation>{} konnte nicht gelesen werden: Der Leseprozess ist abgestürzt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>WebRAG read it with the page renderer.</source>
        <translation>WebRAG hat sie mit der Seitendarstellung gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>{} could not be read within {} seconds.</source>
        <translation>{} konnte nicht innerhalb von {} Sekunden gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>that took too long</source>
        <translation>das dauerte zu lange</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>WebRAG could not read it in another way either ({}).</source>
        <translation>WebRAG konnte sie auch nicht auf anderem Weg lesen ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/preparation.py"/>
        <source>WebRAG could not start the process that reads files ({}).</source>
        <translation>WebRAG konnte den Leseprozess nicht starten ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/prepared.py"/>
        <source>The page is very long. Only its first part can be searched.</source>
        <translation>Die Seite ist sehr lang. Nur ihr erster Teil lässt sich durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Job {} has already ended ({}).</source>
        <translation>Auftrag {} ist bereits beendet ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Too many background jobs are waiting ({}).</source>
        <translation>Zu viele Hintergrundaufträge warten ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>There is no job {}.</source>
        <translation>Es gibt keinen Auftrag {}.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Job {} has no failed pages or files.</source>
        <translation>Auftrag {} hat keine fehlgeschlagenen Seiten oder Dateien.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Internal error. See the log file for details.</source>
        <translation>Interner Fehler. Einzelheiten stehen in der Protokolldatei.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/run.py"/>
        <source>waiting because {} asked for fewer requests</source>
        <translation>wartet, weil {} weniger Anfragen verlangt</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/run.py"/>
        <source>Stopped because {} of {} pages failed. {}</source>
        <translation>Angehalten, weil {} von {} Seiten fehlschlugen. {}</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/run.py"/>
        <source>{} ({}×), for example: {}</source>
        <translation>{} ({}×), zum Beispiel: {}</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/run.py"/>
        <source>No page could be read. {}</source>
        <translation>Keine Seite konnte gelesen werden. {}</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/run.py"/>
        <source>Internal error ({}).</source>
        <translation>Interner Fehler ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/run.py"/>
        <source>the site</source>
        <translation>die Website</translation>
    </message>
    <message>
        <location filename="../../app/ingest/worker.py"/>
        <source>Reading {} needs too much memory.</source>
        <translation>Das Lesen von {} braucht zu viel Arbeitsspeicher.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/worker.py"/>
        <source>{} could not be read ({}).</source>
        <translation>{} konnte nicht gelesen werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/ingest/worker_protocol.py"/>
        <source>{} could not be read for an unknown reason.</source>
        <translation>{} konnte aus unbekanntem Grund nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/ingest/worker_protocol.py"/>
        <source>{} could not be read: {}</source>
        <translation>{} konnte nicht gelesen werden: {}</translation>
    </message>
    <message>
        <location filename="../../app/kb/access.py"/>
        <source>This passage or page is outside the scope of the call.</source>
        <translation>Diese Textstelle oder Seite liegt außerhalb des Bereichs des Aufrufs.</translation>
    </message>
    <message>
        <location filename="../../app/kb/excerpts.py"/>
        <source>start_char {} is beyond the end: the passage has {} characters.</source>
        <translation>start_char {} liegt hinter dem Ende: Die Textstelle hat {} Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/kb/excerpts.py"/>
        <source>before_tokens and after_tokens are both 0.</source>
        <translation>before_tokens und after_tokens sind beide 0.</translation>
    </message>
    <message>
        <location filename="../../app/kb/excerpts.py"/>
        <source>start_char must be from {} to {}, not {}.</source>
        <translation>start_char muss von {} bis {} reichen, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/kb/finder.py"/>
        <source>The query has {} characters; the limit is {}.</source>
        <translation>Die Anfrage hat {} Zeichen; die Grenze ist {}.</translation>
    </message>
    <message>
        <location filename="../../app/kb/search.py"/>
        <source>The cursor belongs to a different search, or its session has expired.</source>
        <translation>Der Cursor gehört zu einer anderen Suche, oder seine Sitzung ist abgelaufen.</translation>
    </message>
    <message>
        <location filename="../../app/kb/verification.py"/>
        <source>The quote is empty.</source>
        <translation>Das Zitat ist leer.</translation>
    </message>
    <message>
        <location filename="../../app/kb/verification.py"/>
        <source>The page is not indexed.</source>
        <translation>Die Seite ist nicht indexiert.</translation>
    </message>
    <message>
        <location filename="../../app/library/copying.py"/>
        <source>The source library has another embedding model ({} instead of {}).</source>
        <translation>Die Quellbibliothek hat ein anderes Embedding-Modell ({} statt {}).</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>{}: {} characters exceed the limit of {}.</source>
        <translation>{}: {} Zeichen überschreiten die Grenze von {}.</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>{}: {} entries exceed the limit of {}.</source>
        <translation>{}: {} Einträge überschreiten die Grenze von {}.</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>The query is empty.</source>
        <translation>Die Anfrage ist leer.</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>{}: {} is not between 1 and {}.</source>
        <translation>{}: {} liegt nicht zwischen 1 und {}.</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>The page has no address or no text.</source>
        <translation>Der Seite fehlt die Adresse oder der Text.</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>The data is not valid JSON.</source>
        <translation>Die Daten sind kein gültiges JSON.</translation>
    </message>
    <message>
        <location filename="../../app/library/exchange.py"/>
        <source>Position {} to {} is outside the text of the page.</source>
        <translation>Position {} bis {} liegt außerhalb des Textes der Seite.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>Add it: {} or {}.</source>
        <translation>So fügen Sie sie hinzu: {} oder {}.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>The library does not contain the documentation of {}.</source>
        <translation>Die Bibliothek enthält die Dokumentation von {} nicht.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>{} can mean {}.</source>
        <translation>{} kann {} bedeuten.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>{} is not the name of a package.</source>
        <translation>{} ist kein Paketname.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>The library does not contain {}. It contains {}.</source>
        <translation>Die Bibliothek enthält {} nicht. Sie enthält {}.</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>Name one of these versions. {}</source>
        <translation>Eine dieser Versionen nennen. {}</translation>
    </message>
    <message>
        <location filename="../../app/library/packages.py"/>
        <source>{} {}</source>
        <translation>{} {}</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>An address is empty or contains a NUL.</source>
        <translation>Eine Adresse ist leer oder enthält ein NUL-Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>Two passages of {} have the same key.</source>
        <translation>Zwei Textstellen von {} haben denselben Schlüssel.</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>A vector of shape {} does not match {} dimensions.</source>
        <translation>Ein Vektor der Form {} passt nicht zu {} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>A vector contains values that are not finite numbers.</source>
        <translation>Ein Vektor enthält Werte, die keine endlichen Zahlen sind.</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>A vector does not have the length 1.</source>
        <translation>Ein Vektor hat nicht die Länge 1.</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>Token vectors of shape {} do not match {} dimensions.</source>
        <translation>Token-Vektoren der Form {} passen nicht zu {} Dimensionen.</translation>
    </message>
    <message>
        <location filename="../../app/library/records.py"/>
        <source>A passage of {} does not match its text at {}.</source>
        <translation>Eine Textstelle von {} stimmt nicht mit dem Text an Position {} überein.</translation>
    </message>
    <message>
        <location filename="../../app/library/scope.py"/>
        <source>scope.project_id is {}, but this project is {}.</source>
        <translation>scope.project_id ist {}, dieses Projekt heißt aber {}.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/assembly.py"/>
        <source>All passages found only repeat known_context, so they were omitted.</source>
        <translation>Alle gefundenen Textstellen wiederholen nur known_context und wurden deshalb weggelassen.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/loop.py"/>
        <source>{} is not indexed and was not searched.</source>
        <translation>{} ist nicht indexiert und wurde nicht durchsucht.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/loop.py"/>
        <source>Semantic search is off ({}); keyword search only.</source>
        <translation>Die semantische Suche ist nicht verfügbar ({}); nur Schlüsselwortsuche.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/loop.py"/>
        <source>A page was deleted during the search. Ask again.</source>
        <translation>Eine Seite wurde während der Suche gelöscht. Fragen Sie erneut.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/loop.py"/>
        <source>Links were ranked by keyword only ({}).</source>
        <translation>Links wurden nur nach Schlüsselwörtern bewertet ({}).</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>WebRAG found no readable text on this page.</source>
        <translation>WebRAG hat auf dieser Seite keinen lesbaren Text gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>The page most likely does not answer {}.</source>
        <translation>Die Seite beantwortet {} höchstwahrscheinlich nicht.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>Passages were found by keyword only.</source>
        <translation>Textstellen wurden nur über Schlüsselwörter gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>Semantic search is off ({}). {}</source>
        <translation>Die semantische Suche ist nicht verfügbar ({}). {}</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>Nothing on the page is similar enough to {}; the closest passages are shown.</source>
        <translation>Nichts auf der Seite ist {} ähnlich genug; angezeigt werden die nächstliegenden Textstellen.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>The page could not be refreshed ({}); the stored copy was used.</source>
        <translation>Die Seite konnte nicht aktualisiert werden ({}); verwendet wurde die gespeicherte Kopie.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>The page is still being embedded; parts of it were searched by keyword only.</source>
        <translation>Die Seite wird noch eingebettet; Teile wurden nur über Schlüsselwörter durchsucht.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/page_queries.py"/>
        <source>Semantic search does not cover the whole page ({}).</source>
        <translation>Die semantische Suche umfasst nicht die ganze Seite ({}).</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>still being indexed</source>
        <translation>wird noch indexiert</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>same text as a page that was already read</source>
        <translation>gleicher Text wie eine bereits gelesene Seite</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>still being indexed (job {})</source>
        <translation>wird noch indexiert (Auftrag {})</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>{} is {}; its stored copy was used.</source>
        <translation>{}: {}; verwendet wurde die gespeicherte Kopie.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>{} redirects to {}.</source>
        <translation>{} leitet zu {} weiter.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>{}: {}</source>
        <translation>{}: {}</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>A call can have at most {} addresses; {} are given.</source>
        <translation>Ein Aufruf kann höchstens {} Adressen enthalten; angegeben sind {}.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>Linked pages are still being indexed; call {} in 30 s.</source>
        <translation>Verlinkte Seiten werden noch indexiert; in 30 s {} aufrufen.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>Some pages are still being embedded and were searched by keyword only; call {} in 30 s for more.</source>
        <translation>Einige Seiten werden noch eingebettet und wurden nur über Schlüsselwörter durchsucht; für mehr Ergebnisse in 30 s {} aufrufen.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/pages.py"/>
        <source>Semantic search does not cover new pages ({}).</source>
        <translation>Die semantische Suche umfasst neue Seiten nicht ({}).</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/question.py"/>
        <source>The query has {} characters; the maximum is {}.</source>
        <translation>Die Anfrage hat {} Zeichen; erlaubt sind höchstens {}.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/question.py"/>
        <source>A query is empty.</source>
        <translation>Eine Anfrage ist leer.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/question.py"/>
        <source>A call can have at most {} queries; {} are given.</source>
        <translation>Ein Aufruf kann höchstens {} Anfragen enthalten; angegeben sind {}.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/result.py"/>
        <source>The longest blocks of the page are shown, not ordered by relevance.</source>
        <translation>Angezeigt werden die längsten Textblöcke der Seite, nicht nach Relevanz sortiert.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/shared.py"/>
        <source>The library {} reports: {}</source>
        <translation>Die Bibliothek {} meldet: {}</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/shared.py"/>
        <source>The library {} uses another model, so its passages come after the others.</source>
        <translation>Die Bibliothek {} verwendet ein anderes Modell, daher folgen ihre Textstellen nach den anderen.</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/shared.py"/>
        <source>{} and {} more</source>
        <translation>{} und {} weitere</translation>
    </message>
    <message>
        <location filename="../../app/orchestration/shared.py"/>
        <source>The library {} does not have these pages, or you cannot read them: {}.</source>
        <translation>Die Bibliothek {} enthält diese Seiten nicht oder Sie haben keinen Zugriff auf sie: {}.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The archive is larger than {} MiB when unpacked.</source>
        <translation>Das Archiv ist entpackt größer als {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>{} comes from a private index. WebRAG does not ask the public registry for it.</source>
        <translation>{} stammt aus einem privaten Index. WebRAG fragt die öffentliche Registry nicht danach.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The archive contains a path that leads out of it.</source>
        <translation>Das Archiv enthält einen Pfad, der aus ihm hinausführt.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>WebRAG cannot download packages of {} yet.</source>
        <translation>WebRAG kann Pakete von {} noch nicht herunterladen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>{} was published without its sources.</source>
        <translation>{} wurde ohne Quelltext veröffentlicht.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The downloaded file of {} does not have the hash in the lock file.</source>
        <translation>Die heruntergeladene Datei von {} hat nicht den Hash der Lockdatei.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The archive is damaged ({}).</source>
        <translation>Das Archiv ist beschädigt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The registry's description of {} is damaged.</source>
        <translation>Die Beschreibung von {} in der Registry ist beschädigt.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The archive has more than {} members.</source>
        <translation>Das Archiv hat mehr als {} Einträge.</translation>
    </message>
    <message>
        <location filename="../../app/packages/archives.py"/>
        <source>The archive contains a device.</source>
        <translation>Das Archiv enthält ein Gerät.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>{} has no name.</source>
        <translation>{} hat keinen Namen.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>The docset is {}, not {}.</source>
        <translation>Das Docset ist {}, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>{} is not a docset.</source>
        <translation>{} ist kein Docset.</translation>
    </message>
    <message>
        <location filename="../../app/packages/docsets.py"/>
        <source>{} is missing.</source>
        <translation>{} fehlt.</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>Installed in another version than locked: {}.</source>
        <translation>In einer anderen Version installiert als in der Lockdatei: {}.</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>{} cannot be read: its format is damaged or unknown.</source>
        <translation>{} kann nicht gelesen werden: Das Format ist beschädigt oder unbekannt.</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>{} (locked: {})</source>
        <translation>{} (Lockdatei: {})</translation>
    </message>
    <message>
        <location filename="../../app/packages/projects.py"/>
        <source>{} lists more than {} packages.</source>
        <translation>{} enthält mehr als {} Pakete.</translation>
    </message>
    <message>
        <location filename="../../app/packages/sites.py"/>
        <source>{} is the documentation of version {}, not of {}.</source>
        <translation>{} ist die Dokumentation der Version {}, nicht von {}.</translation>
    </message>
    <message>
        <location filename="../../app/packages/sites.py"/>
        <source>{} does not prove the version of its documentation.</source>
        <translation>{} belegt die Version der Dokumentation nicht.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>The collection {} does not exist.</source>
        <translation>Die Sammlung {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>{} is not a valid user or group.</source>
        <translation>{} ist kein gültiger Benutzer und keine gültige Gruppe.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>{} is not a valid collection name.</source>
        <translation>{} ist kein gültiger Name einer Sammlung.</translation>
    </message>
    <message>
        <location filename="../../app/pg/grants.py"/>
        <source>The collection {} already exists.</source>
        <translation>Die Sammlung {} gibt es bereits.</translation>
    </message>
    <message>
        <location filename="../../app/pg/jobs.py"/>
        <source>The user who started this job no longer has write access to its collection.</source>
        <translation>Der Benutzer, der diesen Auftrag gestartet hat, hat keine Schreibrechte mehr für dessen Sammlung.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The database address is not valid.</source>
        <translation>Die Adresse der Datenbank ist ungültig.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The library{} cannot be used{}.</source>
        <translation>Die Bibliothek{} kann nicht verwendet werden{}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The address must start with postgresql://.</source>
        <translation>Die Adresse muss mit postgresql:// beginnen.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The library{} is busy{}.</source>
        <translation>Die Bibliothek{} ist ausgelastet{}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The database{} denied access{}.</source>
        <translation>Die Datenbank{} hat den Zugriff verweigert{}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The shared library{} is not set up{}.</source>
        <translation>Die gemeinsame Bibliothek{} ist nicht eingerichtet{}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The text contains characters that cannot be stored.</source>
        <translation>Der Text enthält Zeichen, die nicht gespeichert werden können.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The library{} is not reachable{}.</source>
        <translation>Die Bibliothek{} ist nicht erreichbar{}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>The disk of the database{} is full.</source>
        <translation>Der Datenträger der Datenbank{} ist voll.</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source> at {}</source>
        <translation> auf {}</translation>
    </message>
    <message>
        <location filename="../../app/pg/sessions.py"/>
        <source>{}:{} does not exist in a shared library.</source>
        <translation>{}:{} gibt es in einer gemeinsamen Bibliothek nicht.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The library has schema {}; this program supports up to {}.</source>
        <translation>Die Bibliothek hat das Schema {}; dieses Programm unterstützt höchstens {}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>PostgreSQL {} is too old.</source>
        <translation>PostgreSQL {} ist zu alt.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The database does not have pgvector.</source>
        <translation>In der Datenbank fehlt pgvector.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>pgvector {} is too old: versions before {} can damage their index.</source>
        <translation>pgvector {} ist zu alt: Versionen vor {} können ihren Index beschädigen.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The model has {} dimensions; the limit is {}.</source>
        <translation>Das Modell hat {} Dimensionen; die Grenze ist {}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The library has another model ({} dimensions, {}).</source>
        <translation>Die Bibliothek hat ein anderes Modell ({} Dimensionen, {}).</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The library has schema {}; this program needs {}.</source>
        <translation>Die Bibliothek hat das Schema {}; dieses Programm benötigt {}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The library does not name an embedding model.</source>
        <translation>Die Bibliothek nennt kein Embedding-Modell.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The library has another model now ({} dimensions, {}).</source>
        <translation>Die Bibliothek hat jetzt ein anderes Modell ({} Dimensionen, {}).</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>The embedding model of the library is being changed; pages cannot be embedded now.</source>
        <translation>Das Embedding-Modell der Bibliothek wird gerade gewechselt; Vektoren können jetzt nicht berechnet werden.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Another program is building an index.</source>
        <translation>Ein anderes Programm baut gerade einen Index auf.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Another program is reading the vector tables; nothing has changed.</source>
        <translation>Ein anderes Programm liest die Tabellen der Vektoren; es wurde nichts geändert.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Install PostgreSQL {} or newer.</source>
        <translation>Installieren Sie PostgreSQL {} oder neuer.</translation>
    </message>
    <message>
        <location filename="../../app/pg/setup.py"/>
        <source>Install pgvector {} or newer, then run ALTER EXTENSION vector UPDATE.</source>
        <translation>Installieren Sie pgvector {} oder neuer, und führen Sie dann ALTER EXTENSION vector UPDATE aus.</translation>
    </message>
    <message>
        <location filename="../../app/pg/writing.py"/>
        <source>You do not have write access to this library.</source>
        <translation>Sie haben keine Schreibrechte für diese Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/pg/writing.py"/>
        <source>The page could go to several collections: {}.</source>
        <translation>Die Seite könnte in mehrere Sammlungen kommen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/pg/writing.py"/>
        <source>The address {}… is longer than {} bytes.</source>
        <translation>Die Adresse {}… ist länger als {} Bytes.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} refused the request ({}).</source>
        <translation>Die Bibliothek {} hat die Anfrage abgelehnt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} does not accept your sign-in.</source>
        <translation>Die Bibliothek {} akzeptiert Ihre Anmeldung nicht.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {}</source>
        <translation>Die Bibliothek {}</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The sign-in of the library {}</source>
        <translation>Die Anmeldung der Bibliothek {}</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} is busy.</source>
        <translation>Die Bibliothek {} ist ausgelastet.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} does not have this page, or you cannot read it.</source>
        <translation>Die Bibliothek {} hat diese Seite nicht, oder Sie haben keinen Zugriff darauf.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} refused the request: "{}"</source>
        <translation>Die Bibliothek {} hat die Anfrage abgelehnt: „{}“</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The sign-in of {}</source>
        <translation>Die Anmeldung von {}</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>Try again in {} seconds.</source>
        <translation>Versuchen Sie es in {} Sekunden erneut.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The token contains characters that are not allowed.</source>
        <translation>Das Token enthält unzulässige Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>{} does not accept this token.</source>
        <translation>{} akzeptiert dieses Token nicht.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} reports an error ({}).</source>
        <translation>Die Bibliothek {} meldet einen Fehler ({}).</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>The library {} returned a response that WebRAG cannot read.</source>
        <translation>Die Bibliothek {} hat eine Antwort gesendet, die WebRAG nicht lesen kann.</translation>
    </message>
    <message>
        <location filename="../../app/remote/client.py"/>
        <source>{} requires an access token.</source>
        <translation>{} verlangt ein Zugangstoken.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>This is not the address of a library.</source>
        <translation>Das ist nicht die Adresse einer Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>The address must start with https://.</source>
        <translation>Die Adresse muss mit https:// beginnen.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>A name or address from the library is too long.</source>
        <translation>Ein Name oder eine Adresse der Bibliothek ist zu lang.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>The list of libraries is too large.</source>
        <translation>Die Liste der Bibliotheken ist zu groß.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Cannot read {}, the list of joined libraries.</source>
        <translation>{}, die Liste der beigetretenen Bibliotheken, kann nicht gelesen werden.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>You can join at most {} libraries.</source>
        <translation>Sie können höchstens {} Bibliotheken beitreten.</translation>
    </message>
    <message>
        <location filename="../../app/remote/joined.py"/>
        <source>Cannot save the joined libraries to {} ({}).</source>
        <translation>Die beigetretenen Bibliotheken können nicht in {} gespeichert werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/remote/replies.py"/>
        <source>The library returned a page without an ID.</source>
        <translation>Die Bibliothek hat eine Seite ohne ID gesendet.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>en</source>
        <translation>de</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>You are signed in</source>
        <translation>Sie sind angemeldet</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>Close this page and return to WebRAG.</source>
        <translation>Schließen Sie diese Seite, und kehren Sie zu WebRAG zurück.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>You were not signed in</source>
        <translation>Sie wurden nicht angemeldet</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>Nothing has changed. Close this page and start again in WebRAG.</source>
        <translation>Es wurde nichts geändert. Schließen Sie diese Seite, und beginnen Sie in WebRAG erneut.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>WebRAG does not expect this sign-in</source>
        <translation>WebRAG erwartet diese Anmeldung nicht</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>Close this page and continue in the page that WebRAG opened last.</source>
        <translation>Schließen Sie diese Seite, und fahren Sie auf der Seite fort, die WebRAG zuletzt geöffnet hat.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>There is no shared library at this address ({}).</source>
        <translation>Unter dieser Adresse ist keine gemeinsame Bibliothek ({}).</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The library refers to another host for its sign-in settings.</source>
        <translation>Die Bibliothek verweist für ihre Anmeldedaten auf einen anderen Host.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The library does not provide sign-in settings.</source>
        <translation>Die Bibliothek stellt keine Anmeldedaten bereit.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The library's sign-in settings are for another address.</source>
        <translation>Die Anmeldedaten der Bibliothek gelten für eine andere Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The library does not provide an HTTPS sign-in address.</source>
        <translation>Die Bibliothek stellt keine HTTPS-Adresse für die Anmeldung bereit.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>{} does not provide sign-in settings.</source>
        <translation>{} stellt keine Anmeldedaten bereit.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>{} identifies itself as a different sign-in provider.</source>
        <translation>{} gibt sich als ein anderer Anmeldedienst aus.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>{} does not provide HTTPS sign-in addresses.</source>
        <translation>{} stellt keine HTTPS-Adressen für die Anmeldung bereit.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>{} does not support secure sign-in (PKCE).</source>
        <translation>{} unterstützt keine sichere Anmeldung (PKCE).</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The sign-in was refused ({}).</source>
        <translation>Die Anmeldung wurde abgelehnt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The sign-in service of the library does not respond.</source>
        <translation>Der Anmeldedienst der Bibliothek antwortet nicht.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The sign-in has expired or was revoked.</source>
        <translation>Die Anmeldung ist abgelaufen oder wurde widerrufen.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The sign-in service returned an invalid token.</source>
        <translation>Der Anmeldedienst hat ein ungültiges Token gesendet.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The sign-in was canceled.</source>
        <translation>Die Anmeldung wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../app/remote/sign_in.py"/>
        <source>The sign-in timed out.</source>
        <translation>Die Zeit für die Anmeldung ist abgelaufen.</translation>
    </message>
    <message>
        <location filename="../../app/remote/transport.py"/>
        <source>{} did not respond within {} s.</source>
        <translation>{} hat nicht innerhalb von {} s geantwortet.</translation>
    </message>
    <message>
        <location filename="../../app/remote/transport.py"/>
        <source>{} is not reachable.</source>
        <translation>{} ist nicht erreichbar.</translation>
    </message>
    <message>
        <location filename="../../app/remote/transport.py"/>
        <source>{} returned a response in an unsupported encoding.</source>
        <translation>{} hat eine Antwort in einer nicht unterstützten Kodierung gesendet.</translation>
    </message>
    <message>
        <location filename="../../app/remote/transport.py"/>
        <source>{} returned a response that is too large.</source>
        <translation>{} hat eine zu große Antwort gesendet.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/analysis.py"/>
        <source>The query does not contain a searchable word.</source>
        <translation>Die Anfrage enthält kein Wort, nach dem gesucht werden kann.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/candidates.py"/>
        <source>{} of {} passages are not embedded yet; except for the most promising ones, they were searched by keyword only. Ask again later.</source>
        <translation>{} von {} Textstellen sind noch nicht eingebettet; bis auf die aussichtsreichsten wurden sie nur über Schlüsselwörter durchsucht. Fragen Sie später erneut.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/evidence.py"/>
        <source>the embedding model does not know its words; ask in the language of the pages</source>
        <translation>das Embedding-Modell kennt ihre Wörter nicht; fragen Sie in der Sprache der Seiten</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/evidence.py"/>
        <source>These passages are in another language than the question. Ask in their language to find more.</source>
        <translation>Diese Textstellen sind in einer anderen Sprache als die Frage. Fragen Sie in ihrer Sprache, um mehr zu finden.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/evidence.py"/>
        <source>Nothing found for: {}</source>
        <translation>Nichts gefunden zu: {}</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/evidence.py"/>
        <source>the embedding model is not loaded</source>
        <translation>das Embedding-Modell ist nicht geladen</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>The cursor belongs to a different call.</source>
        <translation>Der Cursor gehört zu einem anderen Aufruf.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>The graph is turned off ({}).</source>
        <translation>Der Graph ist ausgeschaltet ({}).</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>Not found in the graph or in this scope: {}.</source>
        <translation>Im Graphen oder in diesem Bereich nicht gefunden: {}.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>No node is given.</source>
        <translation>Es ist kein Knoten angegeben.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>Both ends of the path are the same node.</source>
        <translation>Beide Enden des Pfads sind derselbe Knoten.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/naming.py"/>
        <source>Looked in: {}. To search everywhere, leave out this name.</source>
        <translation>Gesucht in: {}. Um überall zu suchen, den Namen weglassen.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/naming.py"/>
        <source>No answer found in {}; searched everywhere.</source>
        <translation>In {} wurde keine Antwort gefunden; überall gesucht.</translation>
    </message>
    <message>
        <location filename="../../app/retrieval/second_look.py"/>
        <source>The chosen reranker is off ({}).</source>
        <translation>Der gewählte Reranker ist nicht verfügbar ({}).</translation>
    </message>
    <message>
        <location filename="../../app/scratch/passage.py"/>
        <source>{} passages are already pinned, which is the maximum.</source>
        <translation>{} Textstellen sind bereits angeheftet; das ist die Höchstzahl.</translation>
    </message>
    <message>
        <location filename="../../app/scratch/passage.py"/>
        <source>Pinned passages can take {} MiB in total; this one does not fit.</source>
        <translation>Angeheftete Textstellen dürfen zusammen {} MiB belegen; diese passt nicht mehr hinein.</translation>
    </message>
    <message>
        <location filename="../../app/scratch/store.py"/>
        <source>A passage of {} bytes is too large; {} are allowed.</source>
        <translation>Eine Textstelle von {} Bytes ist zu groß; {} sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../app/scratch/store.py"/>
        <source>The passage has expired or was deleted.</source>
        <translation>Die Textstelle ist abgelaufen oder wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../app/secrets.py"/>
        <source>No system keyring found. New secrets are kept for this session only.</source>
        <translation>Kein Schlüsselbund des Systems gefunden. Neue Schlüssel gelten nur für diese Sitzung.</translation>
    </message>
    <message>
        <location filename="../../app/secrets.py"/>
        <source>The system keyring is not usable ({}). New secrets are kept for this session only.</source>
        <translation>Der Schlüsselbund des Systems ist nicht nutzbar ({}). Neue Schlüssel gelten nur für diese Sitzung.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} is not a parameter. Valid are {}.</source>
        <translation>{} ist kein Parameter. Gültig sind {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} must be {}, not {}.</source>
        <translation>{} muss {} sein, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} must be one of {}, not {}.</source>
        <translation>{} muss einer dieser Werte sein: {}; nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} must be at least {}, not {}.</source>
        <translation>{} muss mindestens {} sein, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} must be at most {}, not {}.</source>
        <translation>{} darf höchstens {} sein, nicht {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} must not be empty.</source>
        <translation>{} darf nicht leer sein.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} has {} characters; the maximum is {}.</source>
        <translation>{} hat {} Zeichen; erlaubt sind höchstens {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} has {} entries; the maximum is {}.</source>
        <translation>{} hat {} Einträge; erlaubt sind höchstens {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} has {} {}; the maximum is {}.</source>
        <translation>{} hat {} {}; erlaubt sind höchstens {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>The arguments have more than {} bytes in total.</source>
        <translation>Die Argumente haben zusammen mehr als {} Bytes.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} are missing.</source>
        <translation>{} fehlen.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/arguments.py"/>
        <source>{} has more than {} levels.</source>
        <translation>{} hat mehr als {} Ebenen.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/dispatch.py"/>
        <source>The result has {} bytes; the maximum is {}.</source>
        <translation>Das Ergebnis hat {} Bytes; erlaubt sind höchstens {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/dispatch.py"/>
        <source>Unexpected error in WebRAG; see call {} in its log.</source>
        <translation>Unerwarteter Fehler in WebRAG; siehe Aufruf {} im Protokoll.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/dispatch.py"/>
        <source>Timed out after {} s.</source>
        <translation>Zeitüberschreitung nach {} s.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/limits.py"/>
        <source>The limit is {} calls in {} s.</source>
        <translation>Erlaubt sind {} Aufrufe in {} s.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/limits.py"/>
        <source>Wait {} s and call again.</source>
        <translation>{} s warten und erneut aufrufen.</translation>
    </message>
    <message>
        <location filename="../../app/server/calls/limits.py"/>
        <source>{} calls are already waiting.</source>
        <translation>{} Aufrufe warten bereits.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>The first line of the request must be a JSON object.</source>
        <translation>Die erste Zeile der Anfrage muss ein JSON-Objekt sein.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>Other pages are being saved.</source>
        <translation>Andere Seiten werden gerade gespeichert.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>This page was not added from the browser.</source>
        <translation>Diese Seite wurde nicht aus dem Browser hinzugefügt.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>The page took longer than {} s.</source>
        <translation>Die Seite dauerte länger als {} s.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>{} is missing, is not text, or is too long.</source>
        <translation>{} fehlt, ist kein Text oder ist zu lang.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>{} is not a SHA-256 digest.</source>
        <translation>{} ist kein SHA-256-Wert.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/browsers.py"/>
        <source>Unexpected error ({}).</source>
        <translation>Unerwarteter Fehler ({}).</translation>
    </message>
    <message>
        <location filename="../../app/server/control/endpoint.py"/>
        <source>Unknown method: {}.</source>
        <translation>Unbekannte Methode: {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/files.py"/>
        <source>Nothing is indexed at {}.</source>
        <translation>Unter {} ist nichts indexiert.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/files.py"/>
        <source>{} pages do not fit in one file.</source>
        <translation>{} Seiten passen nicht in eine Datei.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/files.py"/>
        <source>WebRAG cannot write {}: {}.</source>
        <translation>WebRAG kann {} nicht schreiben: {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/files.py"/>
        <source>{} is a folder.</source>
        <translation>{} ist ein Ordner.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/files.py"/>
        <source>{} already exists with other content.</source>
        <translation>{} existiert bereits mit anderem Inhalt.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/methods.py"/>
        <source>{} is the library itself.</source>
        <translation>{} ist die Bibliothek selbst.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/methods.py"/>
        <source>{} already exists and is not a WebRAG backup.</source>
        <translation>{} existiert bereits und ist keine WebRAG-Sicherung.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/methods.py"/>
        <source>WebRAG cannot use {}: {}.</source>
        <translation>WebRAG kann {} nicht verwenden: {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/control/surface.py"/>
        <source>The call took longer than {} s.</source>
        <translation>Der Aufruf dauerte länger als {} s.</translation>
    </message>
    <message>
        <location filename="../../app/server/http.py"/>
        <source>No program can send the access token.</source>
        <translation>Kein Programm kann das Zugangstoken senden.</translation>
    </message>
    <message>
        <location filename="../../app/server/http.py"/>
        <source>Other machines could reach WebRAG on {}, but its access token is not safe for that.</source>
        <translation>Andere Computer könnten WebRAG unter {} erreichen, aber das Zugangstoken ist dafür nicht sicher genug.</translation>
    </message>
    <message>
        <location filename="../../app/server/http.py"/>
        <source>Set {} to a token of Latin letters, digits and signs without blanks.</source>
        <translation>Setzen Sie {} auf ein Token aus lateinischen Buchstaben, Ziffern und Zeichen ohne Leerzeichen.</translation>
    </message>
    <message>
        <location filename="../../app/server/http.py"/>
        <source>Set {} to this address and your own token of at least {} characters ({} or --token-file), or listen on 127.0.0.1.</source>
        <translation>{} auf diese Adresse setzen und ein eigenes Token mit mindestens {} Zeichen festlegen ({} oder --token-file), oder 127.0.0.1 verwenden.</translation>
    </message>
    <message>
        <location filename="../../app/server/node/admission.py"/>
        <source>The issuer identifies itself as {}, not {}.</source>
        <translation>Der Aussteller bezeichnet sich als {}, nicht als {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/node/admission.py"/>
        <source>The node could not download the signing keys of the issuer.</source>
        <translation>Der Knoten konnte die Signaturschlüssel des Ausstellers nicht laden.</translation>
    </message>
    <message>
        <location filename="../../app/server/node/admission.py"/>
        <source>The issuer does not provide an https address for its signing keys.</source>
        <translation>Der Aussteller nennt keine https-Adresse für seine Signaturschlüssel.</translation>
    </message>
    <message>
        <location filename="../../app/server/node/admission.py"/>
        <source>Set {} to {}.</source>
        <translation>{} auf {} setzen.</translation>
    </message>
    <message>
        <location filename="../../app/server/node/endpoints.py"/>
        <source>{} must be a number from 1 to {}.</source>
        <translation>{} muss eine Zahl von 1 bis {} sein.</translation>
    </message>
    <message>
        <location filename="../../app/server/protocol/prompts.py"/>
        <source>The value is empty.</source>
        <translation>Der Wert ist leer.</translation>
    </message>
    <message>
        <location filename="../../app/server/protocol/prompts.py"/>
        <source>Pass {} to {} URLs; {} are given.</source>
        <translation>{} bis {} URLs angeben; angegeben sind {}.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/docs.py"/>
        <source>{} is a shared library, not a package.</source>
        <translation>{} ist eine gemeinsame Bibliothek, kein Paket.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/graph.py"/>
        <source>The name of a node can have at most {} characters.</source>
        <translation>Der Name eines Knotens kann höchstens {} Zeichen haben.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/ingest.py"/>
        <source>Pass either {} or {}.</source>
        <translation>Entweder {} oder {} angeben.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/ingest.py"/>
        <source>A crawl starts at one page, but {} URLs are given.</source>
        <translation>Ein Durchlauf beginnt auf einer Seite, angegeben sind aber {} URLs.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/kb/common.py"/>
        <source>{} and {} only work on the private library.</source>
        <translation>{} und {} gelten nur für die private Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/schemas.py"/>
        <source>The conversations of this assistant cannot be told apart.</source>
        <translation>Die Unterhaltungen dieses Assistenten lassen sich nicht unterscheiden.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/schemas.py"/>
        <source>No page was read in this conversation.</source>
        <translation>In dieser Unterhaltung wurde noch keine Seite gelesen.</translation>
    </message>
    <message>
        <location filename="../../app/server/tools/schemas.py"/>
        <source>{} must be a date or time in ISO 8601.</source>
        <translation>{} muss ein Datum oder eine Uhrzeit nach ISO 8601 sein.</translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>There is no setting named {}.</source>
        <translation>Eine Einstellung namens {} gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>Cannot read the settings file {}: {}</source>
        <translation>Die Einstellungsdatei {} lässt sich nicht lesen: {}</translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>The settings file {} is not valid TOML: {}</source>
        <translation>Die Einstellungsdatei {} ist kein gültiges TOML: {}</translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>Unknown setting {} in {}.</source>
        <translation>Unbekannte Einstellung {} in {}.</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is not one of {}</source>
        <translation>{} ist keiner der Werte {}</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is not a whole number</source>
        <translation>{} ist keine ganze Zahl</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is not a number</source>
        <translation>{} ist keine Zahl</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is not a text</source>
        <translation>{} ist kein Text</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} must be SITE=DAYS, for example docs.python.org=30</source>
        <translation>{} muss die Form WEBSITE=TAGE haben, zum Beispiel docs.python.org=30</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} days for {} exceed the maximum of {}</source>
        <translation>{} Tage für {} überschreiten das Maximum von {}</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} must be ASSISTANT=CHOICE with one of {}, for example cursor={}</source>
        <translation>{} muss die Form ASSISTENT=WERT haben, mit einem von {}, zum Beispiel cursor={}</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} must be ASSISTANT=LIBRARY, for example cursor=private</source>
        <translation>{} muss die Form ASSISTENT=BIBLIOTHEK haben, zum Beispiel cursor=private</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is neither true nor false</source>
        <translation>{} ist weder true noch false</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is not a list</source>
        <translation>{} ist keine Liste</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} is not between {} and {}</source>
        <translation>{} liegt nicht zwischen {} und {}</translation>
    </message>
    <message>
        <location filename="../../app/settings_schema.py"/>
        <source>{} from {}: {}</source>
        <translation>{} aus {}: {}</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>Markdown, HTML, PDF, Office and OpenDocument files, e-books, notebooks, source code, email, archives and text</source>
        <translation>Markdown, HTML, PDF, Office- und OpenDocument-Dateien, E-Books, Notebooks, Quellcode, E-Mails, Archive und Text</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>WebRAG reads {}.</source>
        <translation>WebRAG liest {}.</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>MHTML</source>
        <translation>MHTML</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>email</source>
        <translation>E-Mail</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>mailboxes</source>
        <translation>Postfächer</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>PowerPoint</source>
        <translation>PowerPoint</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>Excel</source>
        <translation>Excel</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>OpenDocument</source>
        <translation>OpenDocument</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>EPUB</source>
        <translation>EPUB</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>notebooks</source>
        <translation>Notebooks</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>ZIP</source>
        <translation>ZIP</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>feeds</source>
        <translation>Feeds</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>reStructuredText</source>
        <translation>reStructuredText</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>source code</source>
        <translation>Quellcode</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>JSON and YAML</source>
        <translation>JSON und YAML</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>subtitles</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>AsciiDoc</source>
        <translation>AsciiDoc</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>LaTeX</source>
        <translation>LaTeX</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>Texinfo</source>
        <translation>Texinfo</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>manual pages</source>
        <translation>Handbuchseiten</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>DocBook and FictionBook</source>
        <translation>DocBook und FictionBook</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>RTF</source>
        <translation>RTF</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>{} files skipped: {}.</source>
        <translation>{} Dateien übersprungen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>audio or video file</source>
        <translation>Audio- oder Videodatei</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>audio and video files</source>
        <translation>Audio- und Videodateien</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>archive</source>
        <translation>Archiv</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>archives</source>
        <translation>Archive</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>office file</source>
        <translation>Office-Datei</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>office files</source>
        <translation>Office-Dateien</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>font</source>
        <translation>Schrift</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>fonts</source>
        <translation>Schriften</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>data file</source>
        <translation>Datendatei</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>data files</source>
        <translation>Datendateien</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>link</source>
        <translation>Verknüpfung</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>links</source>
        <translation>Verknüpfungen</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>entry ignored by .gitignore</source>
        <translation>durch .gitignore ausgeschlossener Eintrag</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>entries ignored by .gitignore</source>
        <translation>durch .gitignore ausgeschlossene Einträge</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>1 file skipped: {}.</source>
        <translation>1 Datei übersprungen: {}.</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>{} of other kinds</source>
        <translation>{} anderer Art</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>{} larger than {} MiB</source>
        <translation>{} größer als {} MiB</translation>
    </message>
    <message>
        <location filename="../../app/text/media_types.py"/>
        <source>{}, {}</source>
        <translation>{}, {}</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>speaks to the assistant</source>
        <translation>richtet sich an den Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>poses as part of the conversation</source>
        <translation>gibt sich als Teil des Gesprächs aus</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>asks for a tool call</source>
        <translation>bittet um einen Werkzeugaufruf</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>asks to hide something from the user</source>
        <translation>bittet darum, etwas vor dem Benutzer zu verbergen</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>asks to send data away</source>
        <translation>bittet darum, Daten zu versenden</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>long encoded text</source>
        <translation>langer codierter Text</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>long query string</source>
        <translation>lange Abfrage in der Adresse</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>encoded query string</source>
        <translation>codierte Abfrage in der Adresse</translation>
    </message>
    <message>
        <location filename="../../app/text/shield.py"/>
        <source>encoded path</source>
        <translation>codierter Pfad</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>a cloud metadata service</source>
        <translation>einem Metadatendienst der Cloud</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>a link-local address</source>
        <translation>einer verbindungslokalen Adresse</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>this computer</source>
        <translation>diesem Computer</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>a private network</source>
        <translation>einem privaten Netz</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>a reserved address</source>
        <translation>einer reservierten Adresse</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>an unspecified address</source>
        <translation>einer unbestimmten Adresse</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>a provider's internal network</source>
        <translation>dem internen Netz eines Anbieters</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>a multicast address</source>
        <translation>einer Multicast-Adresse</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>an IPv4 address written as IPv6</source>
        <translation>einer als IPv6 geschriebenen IPv4-Adresse</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>The host {} does not have an IP address.</source>
        <translation>Der Host {} hat keine IP-Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>{} is on your list of blocked sites.</source>
        <translation>{} ist auf der Liste gesperrter Websites.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>{}:{} is blocked: port {} is reserved for services other than the web, such as email.</source>
        <translation>{}:{} ist gesperrt: Port {} ist anderen Diensten als dem Web vorbehalten, etwa E-Mail.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>The host {} was not found ({}).</source>
        <translation>Der Host {} wurde nicht gefunden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>{} is blocked: it leads to {}{}.</source>
        <translation>{} ist gesperrt: Die Adresse führt zu {}{}.</translation>
    </message>
    <message>
        <location filename="../../app/web/address.py"/>
        <source>{} is not a host name.</source>
        <translation>{} ist kein Hostname.</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>{} uses an unknown compression{}.</source>
        <translation>{} verwendet eine unbekannte Komprimierung{}.</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>{} returned {}, which WebRAG cannot read as text.</source>
        <translation>{} lieferte {}; WebRAG kann das nicht als Text lesen.</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>The page is larger than {} MiB.</source>
        <translation>Die Seite ist größer als {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>the data has too many compressed parts</source>
        <translation>die Daten haben zu viele komprimierte Teile</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>{} returned corrupt data ({}).</source>
        <translation>{} lieferte beschädigte Daten ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>the compressed data is truncated</source>
        <translation>die komprimierten Daten sind unvollständig</translation>
    </message>
    <message>
        <location filename="../../app/web/body.py"/>
        <source>the data is too large after the first decompression</source>
        <translation>die Daten sind nach dem ersten Entpacken zu groß</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} redirects to a blocked address. {}</source>
        <translation>{} leitet zu einer gesperrten Adresse weiter. {}</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>1 second</source>
        <translation>1 Sekunde</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} seconds</source>
        <translation>{} Sekunden</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>The certificate of {} is not valid ({}).</source>
        <translation>Das Zertifikat von {} ist ungültig ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>Cannot connect securely to {}.</source>
        <translation>Keine sichere Verbindung zu {} möglich.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} refused the connection.</source>
        <translation>{} hat die Verbindung abgelehnt.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>content protected: {} returned {}.</source>
        <translation>Inhalt geschützt: {} lieferte {}.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} has no page at this address (404).</source>
        <translation>{} hat unter dieser Adresse keine Seite (404).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} has permanently removed this page (410).</source>
        <translation>{} hat diese Seite dauerhaft entfernt (410).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} returned invalid JSON.</source>
        <translation>{} lieferte ungültiges JSON.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} did not send a valid response.</source>
        <translation>{} hat keine gültige Antwort gesendet.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} asks WebRAG to wait {} ({}).</source>
        <translation>{} verlangt eine Pause von {} ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} closed the connection before the page was complete.</source>
        <translation>{} hat die Verbindung geschlossen, bevor die Seite vollständig war.</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>The connection to {} failed ({}).</source>
        <translation>Die Verbindung zu {} ist fehlgeschlagen ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} received too many requests ({}).</source>
        <translation>{} hat zu viele Anfragen erhalten ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} has a problem ({}).</source>
        <translation>{} hat eine Störung ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/exchange.py"/>
        <source>{} returned {}.</source>
        <translation>{} lieferte {}.</translation>
    </message>
    <message>
        <location filename="../../app/web/fetch.py"/>
        <source>{} redirects more than {} times.</source>
        <translation>{} leitet mehr als {}-mal weiter.</translation>
    </message>
    <message>
        <location filename="../../app/web/fetch.py"/>
        <source>{} is blocked: only https is allowed here.</source>
        <translation>{} ist gesperrt: Hier ist nur https erlaubt.</translation>
    </message>
    <message>
        <location filename="../../app/web/fetch.py"/>
        <source>{} redirects to an invalid address.</source>
        <translation>{} leitet zu einer ungültigen Adresse weiter.</translation>
    </message>
    <message>
        <location filename="../../app/web/fetch.py"/>
        <source>{} redirects in a loop.</source>
        <translation>{} leitet in einer Schleife weiter.</translation>
    </message>
    <message>
        <location filename="../../app/web/politeness.py"/>
        <source>The site's robots.txt does not allow programs to read this page.</source>
        <translation>Die robots.txt der Website erlaubt Programmen nicht, diese Seite zu lesen.</translation>
    </message>
    <message>
        <location filename="../../app/web/politeness.py"/>
        <source>The site's robots.txt could not be read: {}</source>
        <translation>Die robots.txt der Website konnte nicht gelesen werden: {}</translation>
    </message>
    <message>
        <location filename="../../app/web/politeness.py"/>
        <source>{} asked for a pause of another {}.</source>
        <translation>{} verlangt eine weitere Pause von {}.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>The scripts of {} redirect to {}.</source>
        <translation>Die Skripte von {} leiten zu {} weiter.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>The page renderer crashed while reading {}.</source>
        <translation>Die Seitendarstellung ist beim Lesen von {} abgestürzt.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>The page renderer is not installed.</source>
        <translation>Die Seitendarstellung ist nicht installiert.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>The page renderer was closed.</source>
        <translation>Die Seitendarstellung wurde geschlossen.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>{} was not rendered within {} seconds.</source>
        <translation>{} wurde nicht innerhalb von {} Sekunden dargestellt.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>The page renderer cannot use its sandbox on this system.</source>
        <translation>Die Seitendarstellung kann ihre Sandbox auf diesem System nicht nutzen.</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>{} could not be rendered ({}).</source>
        <translation>{} konnte nicht dargestellt werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>The page renderer could not be started ({}).</source>
        <translation>Die Seitendarstellung konnte nicht gestartet werden ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/brave.py"/>
        <source>Check {} in Settings &gt; Search provider, and that its plan includes web search.</source>
        <translation>{} unter Einstellungen &gt; Suchanbieter prüfen und sicherstellen, dass der Tarif die Websuche enthält.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/brave.py"/>
        <source>The query is too long for Brave ({} characters, {} words).</source>
        <translation>Die Anfrage ist für Brave zu lang ({} Zeichen, {} Wörter).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>Wait, raise the limit of your plan, or choose another provider in Settings &gt; Search provider.</source>
        <translation>Warten, das Limit des Tarifs erhöhen oder unter Einstellungen &gt; Suchanbieter einen anderen Anbieter wählen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>Check your internet connection, then try again.</source>
        <translation>Internetverbindung prüfen und erneut versuchen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>The search limit of {} is reached ({}).</source>
        <translation>Das Suchlimit von {} ist erreicht ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>Check {} in Settings &gt; Search provider, and that the server is running.</source>
        <translation>{} unter Einstellungen &gt; Suchanbieter prüfen und sicherstellen, dass der Server läuft.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>{} rejected the key ({}).</source>
        <translation>{} hat den Schlüssel abgelehnt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>{} rejected the search ({}).</source>
        <translation>{} hat die Suche abgelehnt ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>Call again in {}.</source>
        <translation>In {} erneut aufrufen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>{} returned a response that is not a JSON object.</source>
        <translation>{} lieferte eine Antwort, die kein JSON-Objekt ist.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>{} has moved to another address ({}).</source>
        <translation>{} hat eine neue Adresse ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>{} returned more than {} MiB.</source>
        <translation>{} lieferte mehr als {} MiB.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>The request to {} failed. {}</source>
        <translation>Die Anfrage an {} ist fehlgeschlagen. {}</translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>{} returned JSON that is nested too deeply.</source>
        <translation>{} lieferte zu tief verschachteltes JSON.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/google.py"/>
        <source>Check {} in Settings &gt; Search provider, and that the Custom Search API is enabled for it.</source>
        <translation>{} unter Einstellungen &gt; Suchanbieter prüfen und sicherstellen, dass die Custom Search API dafür aktiviert ist.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/google.py"/>
        <source>Use a shorter query, or check {} in Settings &gt; Search provider.</source>
        <translation>Eine kürzere Anfrage verwenden oder {} unter Einstellungen &gt; Suchanbieter prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>Ask the user to set {} in Settings &gt; Search provider, or to choose another provider there ({}).</source>
        <translation>Den Benutzer bitten, {} unter Einstellungen &gt; Suchanbieter zu setzen oder dort einen anderen Anbieter zu wählen ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>Web search with {} is missing a setting: {}.</source>
        <translation>Der Websuche mit {} fehlt eine Einstellung: {}.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>The key of {} contains invalid characters.</source>
        <translation>Der Schlüssel von {} enthält ungültige Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>{} is not a region.</source>
        <translation>{} ist keine Region.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>{} is not a language.</source>
        <translation>{} ist keine Sprache.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/provider.py"/>
        <source>Only {} of {} results: {}</source>
        <translation>Nur {} von {} Ergebnissen: {}</translation>
    </message>
    <message>
        <location filename="../../app/web/search/searxng.py"/>
        <source>List json under search.formats in the server's settings.yml, and set {} to the address of the server itself.</source>
        <translation>In der settings.yml des Servers json unter search.formats eintragen und {} auf die Adresse des Servers selbst setzen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/searxng.py"/>
        <source>SearXNG needs a language to use a region. The region was ignored.</source>
        <translation>SearXNG braucht für eine Region auch eine Sprache. Die Region wurde ignoriert.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/searxng.py"/>
        <source>Check {} in Settings &gt; Search provider, and the log of that server.</source>
        <translation>{} unter Einstellungen &gt; Suchanbieter und das Protokoll des Servers prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/searxng.py"/>
        <source>Web search with SearXNG needs the address of the server ({}).</source>
        <translation>Die Websuche mit SearXNG braucht die Adresse des Servers ({}).</translation>
    </message>
    <message>
        <location filename="../../app/web/search/searxng.py"/>
        <source>{} is not a plain web address.</source>
        <translation>{} ist keine einfache Webadresse.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/service.py"/>
        <source>The search took longer than {} s.</source>
        <translation>Die Suche dauerte länger als {} s.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/service.py"/>
        <source>This version does not support {}.</source>
        <translation>Diese Version unterstützt {} nicht.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/tavily.py"/>
        <source>Tavily does not support languages. The language was ignored.</source>
        <translation>Tavily unterstützt keine Sprachen. Die Sprache wurde ignoriert.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/tavily.py"/>
        <source>Check {} in Settings &gt; Search provider.</source>
        <translation>{} unter Einstellungen &gt; Suchanbieter prüfen.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/tavily.py"/>
        <source>Tavily returns at most {} results per query.</source>
        <translation>Tavily liefert höchstens {} Ergebnisse pro Anfrage.</translation>
    </message>
    <message>
        <location filename="../../app/web/search/tavily.py"/>
        <source>Tavily does not know the region {}. The region was ignored.</source>
        <translation>Tavily kennt die Region {} nicht. Die Region wurde ignoriert.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>The address is longer than {} characters.</source>
        <translation>Die Adresse hat mehr als {} Zeichen.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} contains several addresses.</source>
        <translation>{} enthält mehrere Adressen.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} is a page in the library {}, not on the web.</source>
        <translation>{} ist eine Seite in der Bibliothek {}, nicht im Web.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} is not an http:// or https:// address.</source>
        <translation>{} ist keine Adresse mit http:// oder https://.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>The address contains a user name or password.</source>
        <translation>Die Adresse enthält einen Benutzernamen oder ein Passwort.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} contains an invalid IPv6 address.</source>
        <translation>{} enthält eine ungültige IPv6-Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} cannot be used with port 0.</source>
        <translation>{} kann nicht mit Port 0 verwendet werden.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} contains a network interface.</source>
        <translation>{} enthält eine Netzwerkschnittstelle.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} is not an IP address.</source>
        <translation>{} ist keine IP-Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/web/urls.py"/>
        <source>{} is not a host name ({}).</source>
        <translation>{} ist kein Hostname ({}).</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Quit Claude Desktop completely from its tray icon or menu, then start it again.</source>
        <translation>Claude Desktop über das Symbol im Infobereich oder das Menü vollständig beenden und neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Start a new Claude Code session. Running sessions keep their servers.</source>
        <translation>Eine neue Sitzung von Claude Code beginnen. Laufende Sitzungen behalten ihre Server.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>VS Code notices the change automatically. The first time, it asks whether you trust the server.</source>
        <translation>VS Code bemerkt die Änderung automatisch. Beim ersten Mal fragt es, ob Sie dem Server vertrauen.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>In Cursor, open Settings &gt; Tools &amp; MCP and turn on webrag if it is off.</source>
        <translation>In Cursor „Settings &gt; Tools &amp; MCP“ öffnen und webrag einschalten, falls es ausgeschaltet ist.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>In Windsurf, open the Cascade MCP servers and choose Refresh, or restart Windsurf.</source>
        <translation>In Windsurf die MCP-Server von Cascade öffnen und „Refresh“ wählen oder Windsurf neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Start a new Codex session. Running sessions keep their servers.</source>
        <translation>Eine neue Sitzung von Codex beginnen. Laufende Sitzungen behalten ihre Server.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Restart Gemini CLI.</source>
        <translation>Gemini CLI neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Gemini CLI turns off all servers in untrusted folders. Start it in the folder and trust the folder when asked.</source>
        <translation>Gemini CLI schaltet in nicht vertrauenswürdigen Ordnern alle Server ab. Im gewünschten Ordner starten und ihm auf Nachfrage vertrauen.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Restart Qwen Code.</source>
        <translation>Qwen Code neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Zed notices the change automatically.</source>
        <translation>Zed bemerkt die Änderung automatisch.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>In LM Studio, turn on mcp/webrag next to the chat (Program &gt; Integrations).</source>
        <translation>In LM Studio mcp/webrag neben dem Chat einschalten (Program &gt; Integrations).</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Start a new Goose session.</source>
        <translation>Eine neue Sitzung von Goose beginnen.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Cline notices the change automatically. If not, restart the server on its MCP page.</source>
        <translation>Cline bemerkt die Änderung automatisch. Andernfalls den Server auf der MCP-Seite von Cline neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Restart OpenCode.</source>
        <translation>OpenCode neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Restart Kilo Code.</source>
        <translation>Kilo Code neu starten.</translation>
    </message>
    <message>
        <location filename="../../assets/assistants.toml"/>
        <source>Restart Copilot CLI.</source>
        <translation>Copilot CLI neu starten.</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Assistants cannot connect to WebRAG</source>
        <translation>Assistenten können sich nicht mit WebRAG verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Try again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Another program uses port {}</source>
        <translation>Ein anderes Programm belegt Port {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>WebRAG now runs on {}. Assistants with the old address connect to the other program and send it the access token. WebRAG updates the entries that it can find. Quit that program and try again, or choose another port.</source>
        <translation>WebRAG läuft jetzt unter {}. Assistenten mit der alten Adresse verbinden sich mit dem anderen Programm und senden ihm das Zugangstoken. WebRAG ändert die Einträge, die es findet. Beenden Sie das Programm und versuchen Sie es noch einmal, oder wählen Sie einen anderen Port.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Choose another port</source>
        <translation>Anderen Port wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Copy new address</source>
        <translation>Neue Adresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>The server is turned off in Settings. You can still use the window.</source>
        <translation>Der Server ist in den Einstellungen ausgeschaltet. Das Fenster funktioniert weiterhin.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Assistants cannot connect</source>
        <translation>Assistenten können sich nicht verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Semantic search is not available</source>
        <translation>Semantische Suche nicht verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>WebRAG still indexes pages, but finds them by keyword only, and tells your assistants. Semantic search resumes when the model works again. {}</source>
        <translation>WebRAG liest und speichert Seiten weiterhin, findet sie aber nur über Schlüsselwörter und weist Assistenten darauf hin. Die semantische Suche folgt, sobald das Modell wieder funktioniert. {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Semantic search for English only</source>
        <translation>Semantische Suche nur für Englisch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Until the model for other languages works again, WebRAG finds pages in them by keyword only. {}</source>
        <translation>Bis das Modell für andere Sprachen wieder arbeitet, findet WebRAG Seiten in diesen nur über Schlüsselwörter. {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show search model</source>
        <translation>Suchmodell zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Restart WebRAG</source>
        <translation>WebRAG neu starten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>WebRAG cannot open the library, so you cannot search or add pages. ({})</source>
        <translation>WebRAG kann die Bibliothek nicht öffnen. Suchen und Hinzufügen sind nicht möglich. ({})</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} WebRAG starts automatically when there is enough space.</source>
        <translation>{} WebRAG startet automatisch, sobald genug Platz ist.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Repair library…</source>
        <translation>Bibliothek reparieren…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Start with an empty library…</source>
        <translation>Mit leerer Bibliothek beginnen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show file</source>
        <translation>Datei zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>The library is damaged</source>
        <translation>Die Bibliothek ist beschädigt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Restore latest backup…</source>
        <translation>Neueste Sicherung wiederherstellen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show disk usage</source>
        <translation>Speichernutzung zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>The disk is full</source>
        <translation>Der Datenträger ist voll</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Assistants that connect over HTTP need a new access token each time WebRAG starts. All others use it automatically.</source>
        <translation>Assistenten, die sich über HTTP verbinden, brauchen nach jedem Start von WebRAG ein neues Zugangstoken. Alle anderen verwenden es automatisch.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>WebRAG forgets the keys that you entered when you quit it.</source>
        <translation>WebRAG vergisst die eingegebenen Schlüssel, wenn Sie es beenden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show keys</source>
        <translation>Schlüssel zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show token</source>
        <translation>Token zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Keyring not available</source>
        <translation>Schlüsselbund nicht verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Compacting it frees about {}. You can search in the meantime, but not add pages.</source>
        <translation>Durch Verdichten werden etwa {} frei. Währenddessen können Sie suchen, aber keine Seiten hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>The library can be smaller</source>
        <translation>Die Bibliothek kann kleiner werden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Compact</source>
        <translation>Verdichten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Parts of the library are no longer readable, so results may be incomplete. Restore a backup or repair the library. ({})</source>
        <translation>Teile der Bibliothek sind nicht mehr lesbar, Ergebnisse können daher unvollständig sein. Stellen Sie eine Sicherung wieder her, oder reparieren Sie die Bibliothek. ({})</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} You can still search. WebRAG saves new pages again when there is enough space.</source>
        <translation>{} Sie können weiterhin suchen. WebRAG speichert neue Seiten wieder, sobald genug Platz ist.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} has lost its connection</source>
        <translation>{} hat die Verbindung verloren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} is only partly connected</source>
        <translation>{} ist nur teilweise verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} starts a different WebRAG</source>
        <translation>{} startet ein anderes WebRAG</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} uses an outdated WebRAG address</source>
        <translation>{} verwendet eine veraltete Adresse von WebRAG</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Could not read the configuration of {}</source>
        <translation>Die Konfiguration von {} ist nicht lesbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Restore entry</source>
        <translation>Eintrag wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Repair</source>
        <translation>Reparieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>{} messages from WebRAG</source>
        <translation>{} Meldungen von WebRAG</translation>
    </message>
</context>
<context>
    <name>Offer</name>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>Cannot add this</source>
        <translation>Davon lässt sich nichts hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>{} files</source>
        <translation>{} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>1 folder</source>
        <translation>1 Ordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>{} folders</source>
        <translation>{} Ordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>the bookmarks of 1 file</source>
        <translation>Lesezeichen aus 1 Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>the bookmarks of {} files</source>
        <translation>Lesezeichen aus {} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>Add {}</source>
        <translation>{} hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>1 file skipped: {}</source>
        <translation>1 Datei übersprungen: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>{} files skipped</source>
        <translation>{} Dateien übersprungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>You can review everything before WebRAG saves it.</source>
        <translation>Sie können alles prüfen, bevor WebRAG es speichert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>You can add web addresses, files ({}), folders and bookmarks.</source>
        <translation>Sie können Webadressen, Dateien ({}), Ordner und Lesezeichen hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>The text does not contain a web address.</source>
        <translation>Der Text enthält keine Webadresse.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>WebRAG cannot read “{}”.</source>
        <translation>WebRAG kann „{}“ nicht lesen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/offer.py"/>
        <source>WebRAG cannot read “{}” and other items.</source>
        <translation>WebRAG kann „{}“ und andere Einträge nicht lesen.</translation>
    </message>
</context>
<context>
    <name>OpenLinkDialog</name>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Open link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Do not ask again for {} until you quit WebRAG</source>
        <translation>Bei {} nicht mehr fragen, bis WebRAG beendet wird</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Read stored page</source>
        <translation>Gespeicherte Seite lesen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Link address</source>
        <translation>Adresse des Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Your browser will open this address:</source>
        <translation>Ihr Browser öffnet diese Adresse:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Open this link?</source>
        <translation>Diesen Link öffnen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/exports.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>OutlinePanel</name>
    <message>
        <location filename="../../app/desktop/pages/library/columns.py"/>
        <source>Page outline</source>
        <translation>Gliederung der Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/columns.py"/>
        <source>No headings on this page</source>
        <translation>Keine Überschriften auf dieser Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/columns.py"/>
        <source>On this page</source>
        <translation>Auf dieser Seite</translation>
    </message>
</context>
<context>
    <name>PackagePane</name>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Package details</source>
        <translation>Paketdetails</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Add documentation…</source>
        <translation>Dokumentation hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Open in Library</source>
        <translation>In der Bibliothek öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>In the project</source>
        <translation>Im Projekt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Other added versions</source>
        <translation>Andere hinzugefügte Versionen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>about {}</source>
        <translation>etwa {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Last asked</source>
        <translation>Zuletzt gefragt</translation>
    </message>
</context>
<context>
    <name>PackagesModel</name>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Used by a project</source>
        <translation>Von einem Projekt verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Installed, not locked</source>
        <translation>Installiert, nicht festgelegt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Locked and installed</source>
        <translation>Festgelegt und installiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Locked</source>
        <translation>Festgelegt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Installed copy</source>
        <translation>Installierte Kopie</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Download</source>
        <translation>Download</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Docset</source>
        <translation>Docset</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Documentation site</source>
        <translation>Dokumentations-Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Only by download</source>
        <translation>Nur per Download</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Private, not installed</source>
        <translation>Privat, nicht installiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Not installed</source>
        <translation>Nicht installiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Not added</source>
        <translation>Nicht hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Incomplete</source>
        <translation>Unvollständig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Added, only if named</source>
        <translation>Hinzugefügt, nur auf Nennung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>about {} and {}</source>
        <translation>etwa {} und {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>1 page of documentation</source>
        <translation>1 Seite Dokumentation</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>{} pages of documentation</source>
        <translation>{} Seiten Dokumentation</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>1 page of signatures</source>
        <translation>1 Seite Signaturen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>{} pages of signatures</source>
        <translation>{} Seiten Signaturen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>1 page of release notes</source>
        <translation>1 Seite Versionshinweise</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>{} pages of release notes</source>
        <translation>{} Seiten Versionshinweise</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>1 symbol</source>
        <translation>1 Symbol</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>{} symbols</source>
        <translation>{} Symbole</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>In the project</source>
        <translation>Im Projekt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Direct</source>
        <translation>Direkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>1 project</source>
        <translation>1 Projekt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>{} projects</source>
        <translation>{} Projekte</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>1 package added</source>
        <translation>1 Paket hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>{} packages added</source>
        <translation>{} Pakete hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/packages.py"/>
        <source>about {} of {}</source>
        <translation>etwa {} von {}</translation>
    </message>
</context>
<context>
    <name>PackagesPage</name>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Packages</source>
        <translation>Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Add project…</source>
        <translation>Projekt hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Filter by name</source>
        <translation>Nach Name filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Filter the packages</source>
        <translation>Pakete filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Direct</source>
        <translation>Direkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Packages that the project names itself</source>
        <translation>Pakete, die das Projekt selbst nennt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Also packages that other packages need</source>
        <translation>Auch Pakete, die andere Pakete benötigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Packages to show</source>
        <translation>Anzuzeigende Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Choose the folder of a project</source>
        <translation>Ordner eines Projekts wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Forget {}? Packages that you added are kept.</source>
        <translation>{} vergessen? Hinzugefügte Pakete bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Forget project</source>
        <translation>Projekt vergessen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Remove the documentation of {}?</source>
        <translation>Dokumentation von {} entfernen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Remove the documentation of {} packages?</source>
        <translation>Dokumentation von {} Paketen entfernen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>You can add it again.</source>
        <translation>Sie können sie wieder hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Remove documentation</source>
        <translation>Dokumentation entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Package removed</source>
        <translation>Paket entfernt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>{} packages removed</source>
        <translation>{} Pakete entfernt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Open in Library</source>
        <translation>In der Bibliothek öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Add documentation…</source>
        <translation>Dokumentation hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Copy name</source>
        <translation>Name kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>No packages match the filter</source>
        <translation>Keine Pakete entsprechen dem Filter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Projects</source>
        <translation>Projekte</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>WebRAG is starting.</source>
        <translation>WebRAG wird gestartet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Choose the folder of a project. WebRAG reads its lock files and lists its packages, so that your assistants answer from the documentation of exactly these versions.</source>
        <translation>Wählen Sie den Ordner eines Projekts. WebRAG liest seine Lockdateien und listet seine Pakete auf, damit Ihre Assistenten aus der Dokumentation genau dieser Versionen antworten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>No packages yet</source>
        <translation>Noch keine Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>All added packages</source>
        <translation>Alle hinzugefügten Pakete</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Add documentation of 1 package…</source>
        <translation>Dokumentation von 1 Paket hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/packages/page.py"/>
        <source>Add documentation of {} packages…</source>
        <translation>Dokumentation von {} Paketen hinzufügen…</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <location filename="../../app/desktop/pages/page.py"/>
        <source>Not available until the problem above is fixed.</source>
        <translation>Nicht verfügbar, bis das Problem oben behoben ist.</translation>
    </message>
</context>
<context>
    <name>PageCard</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Tokens measure length as assistants count it. Passages are the parts of a page that are found and quoted.</source>
        <translation>Token messen die Länge so, wie Assistenten sie zählen. Textstellen sind die Teile einer Seite, die gefunden und zitiert werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Beginning of the text</source>
        <translation>Anfang des Textes</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Preview the text that WebRAG extracts. Nothing is saved yet.</source>
        <translation>Vorschau des Textes, den WebRAG erkennt. Noch wird nichts gespeichert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Fetching {}…</source>
        <translation>{} wird abgerufen…</translation>
    </message>
</context>
<context>
    <name>PagePreview</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>1 link</source>
        <translation>1 Link</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>{} links</source>
        <translation>{} Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Already in the library, fetched {}. Adding replaces that copy.</source>
        <translation>Schon in der Bibliothek, abgerufen {}. Das Hinzufügen ersetzt diese Kopie.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>The text speaks to the assistant: {}.</source>
        <translation>Der Text spricht den Assistenten an: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>robots.txt disallows automatic fetching of this page. WebRAG fetches it because you asked for it.</source>
        <translation>Die robots.txt untersagt den automatischen Abruf dieser Seite. WebRAG ruft sie ab, weil Sie danach gefragt haben.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>The address you entered redirects here.</source>
        <translation>Die eingegebene Adresse leitet hierher um.</translation>
    </message>
</context>
<context>
    <name>PagesPanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Saves each page to your library. Links are not followed.</source>
        <translation>Speichert jede Seite in Ihrer Bibliothek. Links werden nicht verfolgt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>https:// (one address per line)</source>
        <translation>https:// (eine Adresse pro Zeile)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Page addresses</source>
        <translation>Seitenadressen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Saving…</source>
        <translation>Wird gespeichert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Fetching…</source>
        <translation>Wird abgerufen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>{} pages from {}</source>
        <translation>{} Seiten ab {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Add 1 page</source>
        <translation>1 Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Add {} pages</source>
        <translation>{} Seiten hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Replace copy</source>
        <translation>Kopie ersetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Add page</source>
        <translation>Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>Added “{}”</source>
        <translation>„{}“ hinzugefügt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/pages.py"/>
        <source>“{}” is already in the library</source>
        <translation>„{}“ ist schon in der Bibliothek</translation>
    </message>
</context>
<context>
    <name>PairedRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Remove {}</source>
        <translation>{} entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>paired {}</source>
        <translation>gekoppelt {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>{} can no longer reach WebRAG</source>
        <translation>{} kann WebRAG nicht mehr erreichen</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Search and commands</source>
        <translation>Suche und Befehle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Find a page, passage or command</source>
        <translation>Seite, Textstelle oder Befehl suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>↑ ↓ Select   ·   Enter Open   ·   Esc Close</source>
        <translation>↑ ↓ Auswählen   ·   Enter Öffnen   ·   Esc Schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Searching passages…</source>
        <translation>Suche läuft…</translation>
    </message>
</context>
<context>
    <name>PaletteCommands</name>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Go to {}</source>
        <translation>Gehe zu {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Settings › {}</source>
        <translation>Einstellungen › {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>{0}: {1}</source>
        <translation>{0}: {1}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>new crawl import file</source>
        <translation>neu crawlen einlesen importieren Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Add page, site or folder…</source>
        <translation>Seite, Website oder Ordner hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>stop start assistants server</source>
        <translation>stoppen anhalten starten assistenten server</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Resume WebRAG</source>
        <translation>WebRAG fortsetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Pause WebRAG</source>
        <translation>WebRAG pausieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Copy server address</source>
        <translation>Serveradresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Use light appearance</source>
        <translation>Helle Darstellung verwenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Use dark appearance</source>
        <translation>Dunkle Darstellung verwenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>colors theme dark mode light mode</source>
        <translation>farben design theme dunkelmodus dark mode hell dunkel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>first run wizard welcome set up again</source>
        <translation>erster Start Einrichtungsassistent Willkommen erneut</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Open guide</source>
        <translation>Anleitung öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>help manual</source>
        <translation>Hilfe Handbuch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Show setup</source>
        <translation>Einrichtung zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Quit WebRAG</source>
        <translation>WebRAG beenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Search all passages for “{}”</source>
        <translation>Alle Textstellen nach „{}“ durchsuchen</translation>
    </message>
</context>
<context>
    <name>PaletteDelegate</name>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Recently opened</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
</context>
<context>
    <name>PendingDeletion</name>
    <message>
        <location filename="../../app/desktop/pages/page.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>PictureDialog</name>
    <message>
        <location filename="../../app/desktop/preview/pictures.py"/>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/pictures.py"/>
        <source>Image without a description</source>
        <translation>Bild ohne Beschreibung</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <location filename="../../app/desktop/preview/view.py"/>
        <source>Show the image on its own</source>
        <translation>Bild einzeln zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/writer.py"/>
        <source>Image, not saved: {}</source>
        <translation>Bild, nicht gespeichert: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/writer.py"/>
        <source>Image without a description, not saved</source>
        <translation>Bild ohne Beschreibung, nicht gespeichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/writer.py"/>
        <source>Image without a description</source>
        <translation>Bild ohne Beschreibung</translation>
    </message>
</context>
<context>
    <name>PreviewPanel</name>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Show previous part</source>
        <translation>Vorigen Teil zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Show next part</source>
        <translation>Nächsten Teil zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Find in this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Shift+Enter</source>
        <translation>Umschalt+Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Close search</source>
        <translation>Suche schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Previous passage</source>
        <translation>Vorige Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Next passage</source>
        <translation>Nächste Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Scroll to passage</source>
        <translation>Hinscrollen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Remove highlight</source>
        <translation>Markierung entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Passage {} of {}</source>
        <translation>Textstelle {} von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Passage highlighted</source>
        <translation>Textstelle markiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>Not on this page</source>
        <translation>Nicht auf dieser Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>{} of more than {}</source>
        <translation>{} von mehr als {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>1 match</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>{} matches</source>
        <translation>{} Treffer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>{} characters before this part</source>
        <translation>{} Zeichen vor diesem Teil</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/panel.py"/>
        <source>{} of {} characters shown</source>
        <translation>{} von {} Zeichen angezeigt</translation>
    </message>
</context>
<context>
    <name>PrivacySection</name>
    <message>
        <location filename="../../app/desktop/pages/settings/sections.py"/>
        <source>Deleted. WebRAG is restarting.</source>
        <translation>Gelöscht. WebRAG startet neu.</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
</context>
<context>
    <name>QueryBar</name>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>What do you want to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Previous questions</source>
        <translation>Frühere Fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Up</source>
        <translation>Pfeil hoch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Keyword and semantic search combined, as assistants use it</source>
        <translation>Schlüsselwortsuche und semantische Suche kombiniert, wie Assistenten sie nutzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Keywords</source>
        <translation>Schlüsselwörter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Keyword search: only passages that contain the words</source>
        <translation>Schlüsselwortsuche: nur Textstellen, die die Wörter enthalten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Semantic search: passages on the same topic in other words</source>
        <translation>Semantische Suche: Textstellen zum selben Thema in anderen Worten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Search mode</source>
        <translation>Art der Suche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Search only in this collection, site or folder</source>
        <translation>Nur in dieser Sammlung, Website oder diesem Ordner suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>In</source>
        <translation>In</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Where to search</source>
        <translation>Wo gesucht wird</translation>
    </message>
</context>
<context>
    <name>QuestionsRow</name>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Save my assistants' questions</source>
        <translation>Fragen meiner Assistenten speichern</translation>
    </message>
</context>
<context>
    <name>ReadFirst</name>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Ask this page</source>
        <translation>Diese Seite fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Search everywhere</source>
        <translation>Überall suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>In the clipboard: {}</source>
        <translation>In der Zwischenablage: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Reading {}…</source>
        <translation>{} wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/ask_window.py"/>
        <source>Searching only “{}”</source>
        <translation>Nur „{}“ wird durchsucht</translation>
    </message>
</context>
<context>
    <name>RecordingDialog</name>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Recording settings</source>
        <translation>Einstellungen der Aufzeichnung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>WebRAG records for each call: time, assistant, tool, page addresses, positions of the passages used, reason of failure, duration, and tokens returned. It leaves out keys and passwords in addresses. This data never leaves your computer.</source>
        <translation>WebRAG zeichnet zu jedem Aufruf auf: Zeitpunkt, Assistent, Werkzeug, Seitenadressen, Positionen der verwendeten Textstellen, Fehlergrund, Dauer und zurückgegebene Token. Schlüssel und Passwörter in Adressen werden ausgelassen. Diese Daten verlassen Ihren Computer nie.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>When off, calls only appear here until you quit WebRAG. The Tokens view is no longer updated, and answers no longer report how a page has changed since it was last cited.</source>
        <translation>Ausgeschaltet erscheinen Aufrufe hier nur, bis Sie WebRAG beenden. Die Ansicht „Token“ wird nicht mehr aktualisiert, und Antworten melden nicht mehr, wie sich eine Seite seit dem letzten Zitat geändert hat.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Erasing deletes all recorded calls, questions and numbers. Pages and answers are kept.</source>
        <translation>Das Löschen entfernt alle aufgezeichneten Aufrufe, Fragen und Zahlen. Seiten und Antworten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Erase record</source>
        <translation>Aufzeichnung löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Record calls</source>
        <translation>Aufrufe aufzeichnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Save questions</source>
        <translation>Fragen speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/page.py"/>
        <source>Set by the environment variable {}.</source>
        <translation>Von der Umgebungsvariablen {} vorgegeben.</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Restore backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Replace your library with this backup?</source>
        <translation>Ihre Bibliothek durch diese Sicherung ersetzen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Backup</source>
        <translation>Sicherung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Current library</source>
        <translation>Aktuelle Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Saved</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>in use</source>
        <translation>in Gebrauch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Newest page</source>
        <translation>Neueste Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>WebRAG will index the files in these folders:</source>
        <translation>WebRAG indexiert danach die Dateien in diesen Ordnern:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>and 1 more</source>
        <translation>und 1 weiterer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>and {} more</source>
        <translation>und {} weitere</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Your current page is kept as a copy, so you can undo this.</source>
        <translation>Ihre aktuelle Seite bleibt als Kopie erhalten, damit Sie dies rückgängig machen können.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Your {} current pages are kept as a copy, so you can undo this.</source>
        <translation>Ihre {} aktuellen Seiten bleiben als Kopie erhalten, damit Sie dies rückgängig machen können.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>WebRAG checks the backup first. Restoring it cancels running calls.</source>
        <translation>WebRAG prüft zuerst die Sicherung. Das Wiederherstellen bricht laufende Aufrufe ab.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/confirm.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>Results</name>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>No passage answers this. Closest passages:</source>
        <translation>Keine Textstelle beantwortet das. Die ähnlichsten Textstellen:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>1 result</source>
        <translation>1 Ergebnis</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>{} results</source>
        <translation>{} Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>{hits} in {time}</source>
        <translation>{hits} in {time}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Passage copied with its source</source>
        <translation>Textstelle mit Quelle kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/results.py"/>
        <source>Passage copied as Markdown</source>
        <translation>Textstelle als Markdown kopiert</translation>
    </message>
</context>
<context>
    <name>ResultsCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>This computer and all assistants</source>
        <translation>Dieser Computer und alle Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Connection test</source>
        <translation>Verbindungstest</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Results copied</source>
        <translation>Ergebnisse kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Test in progress</source>
        <translation>Der Test läuft</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Checks this computer first, then starts WebRAG the same way as each assistant.</source>
        <translation>Prüft zuerst diesen Computer und startet WebRAG dann so, wie jeder Assistent es tut.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>WebRAG starts itself the same way as the assistant and requests the tools.</source>
        <translation>WebRAG startet sich so, wie der Assistent es tut, und fragt die Werkzeuge ab.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>1 check failed.</source>
        <translation>1 Prüfung fehlgeschlagen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>{} checks failed.</source>
        <translation>{} Prüfungen fehlgeschlagen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>Test stopped.</source>
        <translation>Test abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>1 check passed.</source>
        <translation>1 Prüfung bestanden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/cards.py"/>
        <source>All {} checks passed.</source>
        <translation>Alle {} Prüfungen bestanden.</translation>
    </message>
</context>
<context>
    <name>ScratchActions</name>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Passage pinned</source>
        <translation>Textstelle angeheftet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>{} passages pinned</source>
        <translation>{} Textstellen angeheftet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Passage unpinned</source>
        <translation>Textstelle gelöst</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>{} passages unpinned</source>
        <translation>{} Textstellen gelöst</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Expired passage unpinned and deleted</source>
        <translation>Abgelaufene Textstelle gelöst und gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>{} expired passages unpinned and deleted</source>
        <translation>{} abgelaufene Textstellen gelöst und gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Passage of “{}” deleted</source>
        <translation>Textstelle aus „{}“ gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>{} passages deleted</source>
        <translation>{} Textstellen gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Save passage</source>
        <translation>Textstelle speichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Files (*)</source>
        <translation>Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Saved as {}</source>
        <translation>Gespeichert als {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Address copied</source>
        <translation>Adresse kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>{} addresses copied</source>
        <translation>{} Adressen kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>The page has changed and no longer contains this passage</source>
        <translation>Die Seite hat sich geändert und enthält diese Textstelle nicht mehr</translation>
    </message>
</context>
<context>
    <name>ScratchModel</name>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Pinned: kept permanently</source>
        <translation>Angeheftet: dauerhaft gespeichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>{client}, since {time}</source>
        <translation>{client}, seit {time}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Unknown assistant</source>
        <translation>Unbekannter Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Web search</source>
        <translation>Websuche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Expired</source>
        <translation>Abgelaufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Kept permanently. All assistants on this computer can read it.</source>
        <translation>Dauerhaft gespeichert. Alle Assistenten auf diesem Computer können die Textstelle lesen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Expires at {} unless an assistant reads it before.</source>
        <translation>Läuft um {} ab, wenn kein Assistent die Textstelle vorher liest.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Expires in</source>
        <translation>Läuft ab in</translation>
    </message>
</context>
<context>
    <name>ScratchPage</name>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Recent passages</source>
        <translation>Fundstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Filter by title, address or assistant</source>
        <translation>Nach Titel, Adresse oder Assistent filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Filter the passages</source>
        <translation>Textstellen filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>All passages</source>
        <translation>Alle Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Passages that are kept permanently</source>
        <translation>Dauerhaft gespeicherte Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Passages to show</source>
        <translation>Angezeigte Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>WebRAG is starting.</source>
        <translation>WebRAG wird gestartet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Connect an assistant</source>
        <translation>Assistenten verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>When an assistant searches the library or the web, the passages it found appear here. They expire {} minutes after their last use unless you pin them.</source>
        <translation>Wenn ein Assistent die Bibliothek oder das Web durchsucht, erscheinen die gefundenen Textstellen hier. Sie laufen {} Minuten nach der letzten Verwendung ab, wenn Sie sie nicht anheften.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>No passages yet</source>
        <translation>Noch keine Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Delete passages of this session</source>
        <translation>Textstellen dieser Sitzung löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Delete all unpinned passages</source>
        <translation>Alle nicht angehefteten Textstellen löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Open in Library</source>
        <translation>In der Bibliothek öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Save as file…</source>
        <translation>Als Datei speichern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>No passages match the filter</source>
        <translation>Keine Textstellen passen zum Filter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>{} of {}</source>
        <translation>{} von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>none removed to free memory</source>
        <translation>keine aus Speichermangel entfernt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>{} removed to free memory</source>
        <translation>{} aus Speichermangel entfernt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>{} pinned</source>
        <translation>{} angeheftet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>{} of memory</source>
        <translation>{} im Speicher</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/page.py"/>
        <source>only the {} most recently used are listed</source>
        <translation>nur die {} zuletzt verwendeten sind aufgeführt</translation>
    </message>
</context>
<context>
    <name>ScratchPane</name>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Passage text</source>
        <translation>Text der Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Exact text of the passage</source>
        <translation>Wortlaut der Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Exact text</source>
        <translation>Wortlaut</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Open in Library</source>
        <translation>In der Bibliothek öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Save as file…</source>
        <translation>Als Datei speichern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Copy passage address</source>
        <translation>Adresse der Textstelle kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Delete passage</source>
        <translation>Textstelle löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Deleted or expired</source>
        <translation>Gelöscht oder abgelaufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Exact text: the first {} characters</source>
        <translation>Genauer Text: die ersten {} Zeichen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch/pane.py"/>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Search everything in your library. Nothing is fetched from the web.</source>
        <translation>Durchsucht Ihre ganze Bibliothek. Aus dem Web wird nichts geladen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Go to passage</source>
        <translation>Zur Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Copy with source</source>
        <translation>Mit Quelle kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Assistant view</source>
        <translation>Sicht des Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Select a result to see its page with the passage highlighted. Try “How do I connect an assistant?”</source>
        <translation>Wählen Sie einen Treffer: Seine Seite erscheint mit markierter Textstelle. Versuchen Sie „Wie verbinde ich einen Assistenten?“</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Search your library</source>
        <translation>Ihre Bibliothek durchsuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Add page</source>
        <translation>Seite hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>No passage contains these words. Try “Both” or “Meaning”, or rephrase.</source>
        <translation>Keine Textstelle enthält diese Wörter. Versuchen Sie „Beides“ oder „Bedeutung“, oder formulieren Sie um.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>No related passages found. Try “Both”, or add a page that covers this.</source>
        <translation>Keine passenden Textstellen gefunden. Versuchen Sie „Beides“, oder fügen Sie eine Seite dazu hinzu.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Rephrase, or add a page that covers this.</source>
        <translation>Formulieren Sie um, oder fügen Sie eine Seite dazu hinzu.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Choose “Everywhere” to search the whole library.</source>
        <translation>Wählen Sie „Überall“, um die ganze Bibliothek zu durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search/page.py"/>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
</context>
<context>
    <name>SecretRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Sends one test request with this key</source>
        <translation>Sendet eine Testanfrage mit diesem Schlüssel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Test {}</source>
        <translation>{} testen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Set {}</source>
        <translation>{} setzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Remove {}</source>
        <translation>{} entfernen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Or set the environment variable {}.</source>
        <translation>Oder die Umgebungsvariable {} setzen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Replace…</source>
        <translation>Ersetzen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>The key works.</source>
        <translation>Der Schlüssel funktioniert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>New value</source>
        <translation>Neuer Wert</translation>
    </message>
</context>
<context>
    <name>Secrets</name>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>in the keyring</source>
        <translation>im Schlüsselbund</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>environment variable</source>
        <translation>Umgebungsvariable</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>this session only</source>
        <translation>nur diese Sitzung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>not set</source>
        <translation>fehlt</translation>
    </message>
</context>
<context>
    <name>SecretsSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>The system keyring is unlocked and stores the keys.</source>
        <translation>Der Schlüsselbund des Systems ist entsperrt und speichert die Schlüssel.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>in use</source>
        <translation>aktiv</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>Set by the environment variable {}.</source>
        <translation>Von der Umgebungsvariablen {} vorgegeben.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>empty</source>
        <translation>leer</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>{} is out of range. Enter a number from {} to {}.</source>
        <translation>{} liegt außerhalb des Bereichs. Geben Sie eine Zahl von {} bis {} ein.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>“{}” is a full address. Enter only the site name, for example example.com.</source>
        <translation>„{}“ ist eine vollständige Adresse. Geben Sie nur den Namen der Website ein, zum Beispiel example.com.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>“{}” is not a site name. Enter one such as example.com.</source>
        <translation>„{}“ ist kein Name einer Website. Geben Sie einen wie example.com ein.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>“{}” is not a web address. Web addresses start with http:// or https://.</source>
        <translation>„{}“ ist keine Webadresse. Webadressen beginnen mit http:// oder https://.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>on</source>
        <translation>ein</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/rows.py"/>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Serve assistants</source>
        <translation>Assistenten bedienen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>When off, assistants cannot connect. You can still use the window.</source>
        <translation>Ausgeschaltet können sich keine Assistenten verbinden. Das Fenster funktioniert weiterhin.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>mcp server turn on turn off enable disable offline</source>
        <translation>mcp server einschalten ausschalten aktivieren deaktivieren offline</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>0 = any free port. If the port is in use, WebRAG uses the next free one.</source>
        <translation>0 = beliebiger freier Port. Ist der Port belegt, verwendet WebRAG den nächsten freien.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>port number tcp listen firewall</source>
        <translation>port portnummer tcp firewall</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>HTTP connections</source>
        <translation>HTTP-Verbindungen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>When off, only assistants that start WebRAG's bridge program can connect.</source>
        <translation>Ausgeschaltet können sich nur Assistenten verbinden, die das Brückenprogramm von WebRAG starten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>remote connection url network transport</source>
        <translation>fernzugriff verbindung url netzwerk</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Maximum answer length</source>
        <translation>Maximale Antwortlänge</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Longer answers are truncated. One token is about four characters.</source>
        <translation>Längere Antworten werden gekürzt. Ein Token entspricht etwa vier Zeichen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>answer length token limit context size</source>
        <translation>antwortlänge länge token grenze kontext</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Answer time limit</source>
        <translation>Zeitlimit für Antworten</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>After this time, WebRAG answers with what it has found so far.</source>
        <translation>Nach dieser Zeit antwortet WebRAG mit dem, was es bis dahin gefunden hat.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>timeout slow wait seconds</source>
        <translation>timeout zeitlimit langsam warten sekunden</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Call timeout</source>
        <translation>Zeitlimit für Aufrufe</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>WebRAG stops longer calls and returns an error.</source>
        <translation>WebRAG bricht längere Aufrufe mit einem Fehler ab.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>timeout hang stop seconds</source>
        <translation>timeout zeitlimit hängt abbruch sekunden</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Available tools</source>
        <translation>Verfügbare Werkzeuge</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Fewer tools leave more of the assistant's context for the conversation. Takes effect immediately.</source>
        <translation>Mit weniger Werkzeugen bleibt im Kontext des Assistenten mehr Platz für das Gespräch. Wirkt sofort.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>All tools: answers, web, documentation, knowledge base and graph</source>
        <translation>Alle Werkzeuge: Antworten, Web, Dokumentation, Wissensbasis und Graph</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Enough for most questions, with less than half the tokens</source>
        <translation>Genug für die meisten Fragen, mit weniger als der Hälfte der Token</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Answers with quotes from the web and stored pages</source>
        <translation>Antworten mit Zitaten aus dem Web und aus gespeicherten Seiten</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Search in stored documentation</source>
        <translation>Suche in gespeicherter Dokumentation</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Search, quote and explore stored pages</source>
        <translation>Gespeicherte Seiten durchsuchen, zitieren und erkunden</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Ask, search and list pages, for small local models</source>
        <translation>Fragen, suchen und Seiten auflisten, für kleine lokale Modelle</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>tool profile functions permissions capabilities</source>
        <translation>werkzeuge tools profil funktionen berechtigungen rechte</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Tools per assistant</source>
        <translation>Werkzeuge je Assistent</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Overrides for single assistants, as name=tools, separated by commas.</source>
        <translation>Ausnahmen für einzelne Assistenten: Name=Werkzeuge, durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>tool profile per assistant override claude cursor</source>
        <translation>werkzeuge tools profil je assistent claude cursor</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Assistants may add packages</source>
        <translation>Assistenten dürfen Pakete hinzufügen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Adds the documentation of a package. WebRAG downloads it from PyPI or npm if it is not on this computer.</source>
        <translation>Fügt die Dokumentation eines Pakets hinzu. WebRAG lädt sie von PyPI oder npm herunter, wenn sie nicht auf diesem Computer ist.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Of my projects</source>
        <translation>Meiner Projekte</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Any package</source>
        <translation>Alle Pakete</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>packages documentation projects pypi npm download permission</source>
        <translation>Pakete Dokumentation Projekte pypi npm Download herunterladen Erlaubnis Berechtigung</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Memory for recent passages</source>
        <translation>Arbeitsspeicher für Fundstellen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>WebRAG keeps found passages for assistants for half an hour. The oldest are removed first.</source>
        <translation>WebRAG hält gefundene Textstellen eine halbe Stunde für Assistenten bereit. Die ältesten werden zuerst entfernt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>memory ram cache limit</source>
        <translation>arbeitsspeicher speicher ram cache grenze</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Repair connections automatically</source>
        <translation>Verbindungen automatisch reparieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>If another program removes WebRAG from an assistant's configuration, restores the entry immediately. When off, WebRAG asks you first.</source>
        <translation>Entfernt ein anderes Programm WebRAG aus der Konfiguration eines Assistenten, wird der Eintrag sofort wiederhergestellt. Ausgeschaltet fragt WebRAG vorher.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>reconnect fix broken connection configuration</source>
        <translation>reparieren neu verbinden verbindung konfiguration</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Page timeout</source>
        <translation>Zeitlimit für Seiten</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Pages that take longer are skipped.</source>
        <translation>Seiten, die länger brauchen, werden übersprungen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>timeout slow page load seconds</source>
        <translation>timeout zeitlimit langsam laden sekunden</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Simultaneous requests</source>
        <translation>Gleichzeitige Anfragen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Across all sites. WebRAG respects the rate limit of each site.</source>
        <translation>Für alle Websites zusammen. WebRAG beachtet das Limit jeder Website.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>parallel downloads speed bandwidth simultaneous threads</source>
        <translation>parallel gleichzeitig geschwindigkeit bandbreite downloads</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Refresh pages after</source>
        <translation>Seiten aktualisieren nach</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Before it answers from an older page, WebRAG checks whether the page has changed.</source>
        <translation>Bevor WebRAG aus einer älteren Seite antwortet, prüft es, ob sie sich geändert hat.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source> days</source>
        <translation> Tagen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>refresh update interval age expire cache</source>
        <translation>aktualisieren intervall alter veraltet cache</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Refresh times per site</source>
        <translation>Aktualisierung je Website</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Days per site. Subdomains (except www.) count as separate sites.</source>
        <translation>Tage je Website. Subdomains (außer www.) gelten als eigene Websites.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>refresh update interval schedule per site</source>
        <translation>aktualisieren intervall zeitplan je website</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>JavaScript rendering</source>
        <translation>JavaScript-Seiten rendern</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Opens pages that need JavaScript in a hidden browser. Slower, and requires the optional renderer.</source>
        <translation>Öffnet Seiten, die JavaScript brauchen, in einem verborgenen Browser. Langsamer; die optionale Seitendarstellung muss installiert sein.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>javascript js dynamic headless browser render spa</source>
        <translation>javascript js dynamisch browser rendern</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>robots.txt rules</source>
        <translation>Regeln in robots.txt</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Pages that you or an assistant request directly can be opened as in a browser.</source>
        <translation>Seiten, die Sie oder ein Assistent direkt anfordern, lassen sich wie in einem Browser öffnen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Obey for followed links</source>
        <translation>Bei verfolgten Links</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Always obey</source>
        <translation>Immer beachten</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>robots.txt crawler rules scraping permission</source>
        <translation>robots.txt crawler regeln erlaubnis</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Blocked sites</source>
        <translation>Gesperrte Websites</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>WebRAG never opens these sites or their subdomains.</source>
        <translation>WebRAG öffnet diese Websites und ihre Subdomains nie.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>block blacklist blocklist ban exclude domains</source>
        <translation>sperren blockieren sperrliste ausschließen domains</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Allowed sites in private networks</source>
        <translation>Erlaubte Websites in privaten Netzen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>WebRAG can open these sites. All other private addresses are blocked.</source>
        <translation>WebRAG darf diese Websites öffnen. Alle anderen privaten Adressen sind gesperrt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Assistants can read any page there, such as router, printer and intranet pages. Only add what you want them to access.</source>
        <translation>Assistenten können dort jede Seite lesen, etwa die von Routern, Druckern und im Intranet. Nur hinzufügen, worauf sie zugreifen sollen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>whitelist intranet local lan exception</source>
        <translation>erlauben ausnahme intranet lokal lan</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Allowed private networks</source>
        <translation>Erlaubte private Netze</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>WebRAG can open every address in these networks, including services on this computer.</source>
        <translation>WebRAG darf jede Adresse in diesen Netzen öffnen, auch Dienste auf diesem Computer.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>proxy vpn lan intranet local network ip localhost firewall</source>
        <translation>proxy vpn lan intranet heimnetz lokales netzwerk ip firewall</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Embed pages on battery power</source>
        <translation>Seiten im Akkubetrieb einbetten</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>When off, WebRAG embeds new pages for semantic search only while plugged in. Questions always work.</source>
        <translation>Ausgeschaltet bettet WebRAG neue Seiten nur am Stromnetz für die semantische Suche ein. Fragen funktionieren immer.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>battery power saving laptop energy</source>
        <translation>akku batterie stromsparen energie laptop</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Threads for embedding</source>
        <translation>Threads für das Embedding</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>How many threads embed passages at the same time. 0 chooses by the cores of your processor.</source>
        <translation>So viele Threads berechnen Embeddings gleichzeitig. 0 richtet sich nach den Kernen Ihres Prozessors.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>cpu cores processor speed parallel</source>
        <translation>cpu kerne prozessor geschwindigkeit parallel</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Embedding server</source>
        <translation>Embedding-Server</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Address of an OpenAI-compatible server, which then receives page texts and questions. Leave empty to use the built-in model.</source>
        <translation>Adresse eines OpenAI-kompatiblen Servers, der dann Seitentexte und Fragen erhält. Leer lassen, um das eingebaute Modell zu verwenden.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>openai ollama cloud api embedding server hosted</source>
        <translation>openai ollama cloud api embedding server</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Model on the server</source>
        <translation>Modell auf dem Server</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>The name that the server uses for the model.</source>
        <translation>Der Name, unter dem der Server das Modell führt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>embedding model openai ollama hosted</source>
        <translation>embedding modell openai ollama</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Link-following rounds</source>
        <translation>Tiefe beim Folgen von Links</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>How many links away from the given pages to look. 0 = only those pages.</source>
        <translation>So viele Links weit sucht WebRAG über die angegebenen Seiten hinaus. 0 = nur diese Seiten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>link depth follow links crawl depth hops</source>
        <translation>linktiefe links folgen tiefe</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Rerank results</source>
        <translation>Ergebnisse neu ordnen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Compares passages word by word with the question. More accurate, a few milliseconds slower.</source>
        <translation>Vergleicht Textstellen Wort für Wort mit der Frage. Genauer, aber einige Millisekunden langsamer.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>rerank ranking quality accuracy precision</source>
        <translation>reihenfolge rangfolge qualität genauigkeit</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Documentation results</source>
        <translation>Ergebnisse aus Dokumentation</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Maximum number of results when assistants search stored documentation.</source>
        <translation>Höchstzahl der Ergebnisse, wenn Assistenten gespeicherte Dokumentation durchsuchen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>number of results limit documentation</source>
        <translation>anzahl treffer grenze dokumentation</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Use the graph</source>
        <translation>Graph verwenden</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Lets assistants explore linked pages and adds related pages to searches. Turning this off deletes nothing.</source>
        <translation>Assistenten können verlinkte Seiten erkunden, und die Suche berücksichtigt verwandte Seiten. Ausschalten löscht nichts.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>knowledge graph links related pages</source>
        <translation>wissensgraph verknüpfungen verwandte seiten</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Provider</source>
        <translation>Anbieter</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>SearXNG is self-hosted and does not need a key. Google no longer accepts new customers.</source>
        <translation>SearXNG betreiben Sie selbst, ohne Schlüssel. Google nimmt keine neuen Kunden mehr an.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>web search engine internet google brave tavily searxng</source>
        <translation>suchmaschine websuche internet google brave tavily searxng</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Google search engine ID</source>
        <translation>Google-Suchmaschinen-ID</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Only for Google. You find it in the control panel of Programmable Search Engine.</source>
        <translation>Nur für Google. Sie steht in der Verwaltung der Programmable Search Engine.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>google cse cx programmable search</source>
        <translation>google cse cx programmierbare suche</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>SearXNG address</source>
        <translation>SearXNG-Adresse</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Only for SearXNG. Private-network addresses are allowed.</source>
        <translation>Nur für SearXNG. Adressen in privaten Netzen sind erlaubt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>searx self-hosted url</source>
        <translation>searx eigener server url</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Safe search</source>
        <translation>Sichere Suche</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Applies to every provider unless the assistant chooses another level.</source>
        <translation>Gilt für jeden Anbieter, sofern der Assistent nichts anderes wählt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Moderate</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Strict</source>
        <translation>Streng</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>adult filter family explicit content</source>
        <translation>jugendschutz filter familie anstößige inhalte</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Daily backup</source>
        <translation>Täglich sichern</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Backs up the library on days when it changed and keeps the last three backups.</source>
        <translation>Sichert die Bibliothek an Tagen, an denen sie sich geändert hat, und behält die letzten drei Sicherungen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>automatic backup daily schedule copy</source>
        <translation>automatische sicherung backup täglich zeitplan</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Read comments</source>
        <translation>Kommentare lesen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Adds the comments of Office files as quotations with their authors. Refresh a file to read its comments.</source>
        <translation>Nimmt die Kommentare in Office-Dateien als Zitate mit ihren Verfassern auf. Aktualisieren Sie eine Datei, um ihre Kommentare zu lesen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>comments notes review annotations word excel office</source>
        <translation>kommentare notizen anmerkungen überarbeitung word excel office</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Save images</source>
        <translation>Bilder speichern</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Downloads the images of stored pages, but not from private networks. Turning this off deletes saved images.</source>
        <translation>Lädt die Bilder gespeicherter Seiten herunter, nicht aus privaten Netzen. Ausschalten löscht die gespeicherten Bilder.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>images photos download save pictures</source>
        <translation>bilder fotos herunterladen speichern</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Image storage limit</source>
        <translation>Speicherlimit für Bilder</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>When the limit is reached, WebRAG deletes the oldest images.</source>
        <translation>Ist das Limit erreicht, löscht WebRAG die ältesten Bilder.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>image storage limit quota disk space</source>
        <translation>bilder speicher grenze speicherplatz</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Record calls</source>
        <translation>Aufrufe aufzeichnen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Shows the time, assistant, tool, pages and sizes of every call in Activity. Questions and texts are not recorded.</source>
        <translation>Zeigt Zeit, Assistent, Werkzeug, Seiten und Umfang jedes Aufrufs unter „Aktivität“. Fragen und Texte werden nicht aufgezeichnet.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>history activity log tracking telemetry statistics</source>
        <translation>verlauf aktivität protokoll aufzeichnung telemetrie statistik</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Save questions</source>
        <translation>Fragen speichern</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Shows the questions of your assistants in Activity. They are kept for 90 days, on this computer only.</source>
        <translation>Zeigt die Fragen Ihrer Assistenten unter „Aktivität“. Sie bleiben 90 Tage und nur auf diesem Computer gespeichert.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>history questions privacy save conversation</source>
        <translation>verlauf fragen datenschutz speichern gespräch</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Log level</source>
        <translation>Protokollstufe</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>How much detail WebRAG writes to the log file. Access tokens and keys are never logged.</source>
        <translation>Wie ausführlich die Protokolldatei ist. Zugangstoken und Schlüssel werden nie protokolliert.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Errors only</source>
        <translation>Nur Fehler</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Critical errors only</source>
        <translation>Nur kritische Fehler</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>log level verbose debug</source>
        <translation>protokoll log protokollstufe ausführlich debug</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Check for updates weekly</source>
        <translation>Wöchentlich nach Updates suchen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Only requests the version list and sends no data. WebRAG announces a new version in the window.</source>
        <translation>Ruft nur die Versionsliste ab und sendet keine Daten. WebRAG meldet eine neue Version im Fenster.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>automatic updates auto-update upgrade</source>
        <translation>automatische updates aktualisierung</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Update address</source>
        <translation>Update-Adresse</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Address of the version list. Leave empty to turn off update checks.</source>
        <translation>Adresse der Versionsliste. Leer lassen, um die Suche nach Updates auszuschalten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>update server url feed</source>
        <translation>update adresse server url</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Light, dark, or the same as the system.</source>
        <translation>Hell, dunkel oder wie im System eingestellt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>System default</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>theme dark mode light mode night appearance color scheme look</source>
        <translation>design theme darstellung dunkelmodus dark mode dunkel hell nachtmodus aussehen farbschema</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Takes effect when you restart WebRAG.</source>
        <translation>Wird beim nächsten Start von WebRAG wirksam.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>language locale english german translation</source>
        <translation>sprache language englisch deutsch übersetzung</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Tray icon</source>
        <translation>Symbol im Infobereich</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Keeps WebRAG running for your assistants when you close the window.</source>
        <translation>WebRAG läuft für Ihre Assistenten weiter, wenn Sie das Fenster schließen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>system tray menu bar minimize to tray background hide</source>
        <translation>infobereich taskleiste tray menüleiste hintergrund minimieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Ask window shortcut</source>
        <translation>Tastenkürzel des Fragefensters</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Opens the Ask window from any program. Leave empty to turn it off.</source>
        <translation>Öffnet das Fragefenster aus jedem Programm. Leer lassen, um es auszuschalten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>shortcut hotkey keyboard key combination global</source>
        <translation>tastenkürzel tastenkombination hotkey shortcut tastatur kurzbefehl</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>When closing the window</source>
        <translation>Beim Schließen des Fensters</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Used when there is no tray icon.</source>
        <translation>Gilt, wenn es kein Symbol im Infobereich gibt.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Ask</source>
        <translation>Nachfragen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Minimize the window</source>
        <translation>Fenster minimieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Quit WebRAG</source>
        <translation>WebRAG beenden</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>close quit exit minimize window button tray</source>
        <translation>schließen beenden minimieren fenster</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>For important events only, such as a finished crawl, a lost connection or an error.</source>
        <translation>Nur bei wichtigen Ereignissen, etwa einer fertig eingelesenen Website, einer verlorenen Verbindung oder einem Fehler.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>alerts messages pop-ups popups notify sound</source>
        <translation>benachrichtigungen hinweise meldungen popups</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Suggested sites</source>
        <translation>Vorgeschlagene Websites</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>Addresses to suggest in addition to the built-in ones, separated by commas. Takes effect after a restart.</source>
        <translation>Adressen, die WebRAG zusätzlich zu den mitgelieferten vorschlägt, durch Kommas getrennt. Gilt nach einem Neustart.</translation>
    </message>
    <message>
        <location filename="../../assets/settings.toml"/>
        <source>suggestions favorites bookmarks start page examples</source>
        <translation>vorschläge favoriten lesezeichen startseite beispiele</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Start when you log in</source>
        <translation>Beim Anmelden starten</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>WebRAG starts in the tray, ready for your assistants.</source>
        <translation>WebRAG startet im Infobereich und ist für Ihre Assistenten bereit.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>startup autostart launch boot login run automatically</source>
        <translation>autostart systemstart anmelden anmeldung login hochfahren startup automatisch starten</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>How assistants reach WebRAG on this computer.</source>
        <translation>Wie Assistenten WebRAG auf diesem Computer erreichen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>url endpoint localhost host mcp connect</source>
        <translation>url adresse endpunkt localhost host mcp verbinden</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Access token</source>
        <translation>Zugangstoken</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Assistants that connect over HTTP must send this token. Bridges use it automatically.</source>
        <translation>Assistenten, die sich über HTTP verbinden, müssen dieses Token senden. Brücken verwenden es automatisch.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Replace…</source>
        <translation>Ersetzen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>password authentication credentials bearer security login key</source>
        <translation>passwort kennwort anmeldung zugangsdaten sicherheit token schlüssel password</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>What assistants can do with WebRAG. Changes take effect immediately.</source>
        <translation>Was Assistenten mit WebRAG tun können. Änderungen wirken sofort.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Browsers</source>
        <translation>Browser</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Paired browsers can add pages and ask about pages added from browsers. They cannot do anything else.</source>
        <translation>Gekoppelte Browser können Seiten hinzufügen und zu den aus Browsern hinzugefügten Seiten fragen, sonst nichts.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Pair a browser</source>
        <translation>Browser koppeln</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>The extension saves pages as your browser shows them, including pages behind a sign-in. Install it, show a code here and enter the code in the extension.</source>
        <translation>Die Erweiterung speichert Seiten so, wie Ihr Browser sie zeigt, auch solche hinter einer Anmeldung. Installieren Sie sie, zeigen Sie hier einen Code an und geben Sie ihn in der Erweiterung ein.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Show code</source>
        <translation>Code anzeigen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Get extension</source>
        <translation>Erweiterung installieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>extension add-on plugin chrome firefox edge connect browser</source>
        <translation>erweiterung add-on plugin chrome firefox edge browser koppeln verbinden</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Paired browsers</source>
        <translation>Gekoppelte Browser</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>extension devices unpair disconnect remove browser</source>
        <translation>erweiterung geräte trennen entkoppeln browser entfernen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Crawling</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>How WebRAG fetches pages from the web, and which sites it can open.</source>
        <translation>Wie WebRAG Seiten aus dem Web abruft und welche Websites es öffnen darf.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>How WebRAG finds passages for a question.</source>
        <translation>Wie WebRAG Textstellen zu einer Frage findet.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>The graph connects pages that link to each other or share names and terms.</source>
        <translation>Der Graph verbindet Seiten, die aufeinander verweisen oder Namen und Begriffe gemeinsam haben.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Search provider</source>
        <translation>Suchanbieter</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Searches the web for your assistants and receives their search queries. Set its key under API keys.</source>
        <translation>Durchsucht das Web für Ihre Assistenten und erhält deren Suchanfragen. Den Schlüssel legen Sie unter „API-Schlüssel“ fest.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Shared libraries</source>
        <translation>Gemeinsame Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Team libraries that WebRAG searches along with yours. They receive your questions. Your pages stay on this computer unless you share them.</source>
        <translation>Bibliotheken eines Teams, die WebRAG zusätzlich zu Ihrer durchsucht. Sie erhalten Ihre Fragen. Ihre Seiten bleiben auf diesem Computer, solange Sie sie nicht teilen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Join a library</source>
        <translation>Einer Bibliothek beitreten</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Enter its address and sign in with your browser.</source>
        <translation>Geben Sie ihre Adresse ein und melden Sie sich im Browser an.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Join library…</source>
        <translation>Bibliothek beitreten…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>team share sharing collaborate invite colleagues server</source>
        <translation>team teilen freigeben zusammenarbeiten einladen kollegen server</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Joined libraries</source>
        <translation>Bibliotheken, denen Sie beigetreten sind</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>team leave sign in sign out account members</source>
        <translation>team verlassen anmelden abmelden konto mitglieder</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Search model</source>
        <translation>Suchmodell</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>This model enables semantic search. Keyword search finds a page as soon as it is stored, semantic search once the model has embedded its passages. The built-in model works offline.</source>
        <translation>Dieses Modell ermöglicht die semantische Suche. Die Schlüsselwortsuche findet eine Seite, sobald sie gespeichert ist, die semantische Suche, sobald das Modell ihre Textstellen eingebettet hat. Das eingebaute Modell arbeitet offline.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>ai artificial intelligence embedding vectors language model semantic</source>
        <translation>ki ai künstliche intelligenz embedding vektoren sprachmodell semantisch</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Loading models…</source>
        <translation>Modelle werden geladen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Use this model</source>
        <translation>Dieses Modell verwenden</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>download multilingual languages embedding folder</source>
        <translation>herunterladen mehrsprachig Sprachen Einbettung Ordner Download</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Reranker</source>
        <translation>Reranker</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>cross-encoder rerank ranking order quality accuracy second model</source>
        <translation>cross-encoder rerank sortieren rangfolge reihenfolge qualität genauigkeit zweites modell</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Self-test</source>
        <translation>Selbsttest</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Checks and times the model on sample texts. Takes about a second.</source>
        <translation>Prüft das Modell mit Beispieltexten und misst die Zeit. Dauert etwa eine Sekunde.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>benchmark speed performance check model</source>
        <translation>benchmark geschwindigkeit leistung prüfen modell</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Storage</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>WebRAG stores everything in one folder on this computer.</source>
        <translation>WebRAG speichert alles in einem Ordner auf diesem Computer.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Storage use</source>
        <translation>Speichernutzung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Calculating…</source>
        <translation>Wird ermittelt…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>disk space usage size statistics</source>
        <translation>speicherplatz festplatte größe belegung statistik</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>location path directory data folder where files database</source>
        <translation>speicherort pfad verzeichnis ordner dateien datenbank wo</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Backup</source>
        <translation>Sicherung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Copies the whole library to one file. You can keep using WebRAG.</source>
        <translation>Kopiert die ganze Bibliothek in eine Datei. Sie können WebRAG weiter benutzen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Back up…</source>
        <translation>Sichern…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>back up copy save snapshot</source>
        <translation>backup sicherung sichern kopie datensicherung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Automatic backups</source>
        <translation>Automatische Sicherungen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Restore latest</source>
        <translation>Neueste wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Delete backups</source>
        <translation>Sicherungen löschen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>restore newest copies snapshots history</source>
        <translation>wiederherstellen neueste kopien sicherungen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Restore</source>
        <translation>Wiederherstellung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Replaces your library with a backup. Your current library is kept as a copy.</source>
        <translation>Ersetzt Ihre Bibliothek durch eine Sicherung. Die jetzige Bibliothek bleibt als Kopie erhalten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Restore…</source>
        <translation>Wiederherstellen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>recover import load backup undo</source>
        <translation>wiederherstellen zurückholen importieren laden backup sicherung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Checks the file, the index and every passage.</source>
        <translation>Prüft die Datei, den Index und jede Textstelle.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Check now</source>
        <translation>Jetzt prüfen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>verify integrity corruption test library</source>
        <translation>prüfen überprüfen integrität beschädigung testen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Repair</source>
        <translation>Reparieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Rebuilds a damaged library from all pages, jobs and pins that are still readable. The old file is kept.</source>
        <translation>Baut eine beschädigte Bibliothek aus allen noch lesbaren Seiten, Aufträgen und angehefteten Textstellen neu auf. Die alte Datei bleibt erhalten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Repair library</source>
        <translation>Bibliothek reparieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>fix damaged corrupt rescue recover</source>
        <translation>reparieren beschädigt kaputt retten wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Start over</source>
        <translation>Neu beginnen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Starts with an empty library. Your current library is kept as a copy, and you can repair it later.</source>
        <translation>Beginnt mit einer leeren Bibliothek. Die jetzige bleibt als Kopie erhalten und lässt sich später reparieren.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Start empty…</source>
        <translation>Leer beginnen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>reset start over empty clear new library</source>
        <translation>neu anfangen leeren zurücksetzen neue bibliothek</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Compact</source>
        <translation>Verdichten</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Frees the disk space of deleted and rewritten pages. You can search in the meantime, but not add pages.</source>
        <translation>Gibt den Speicherplatz gelöschter und umgeschriebener Seiten frei. Währenddessen können Sie suchen, aber keine Seiten hinzufügen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>shrink vacuum clean up free disk space</source>
        <translation>verkleinern aufräumen platz freigeben speicherplatz komprimieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Saves every page as a Markdown file with its address, in one folder per site.</source>
        <translation>Speichert jede Seite mit ihrer Adresse als Markdown-Datei, in einem Ordner je Website.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Export all…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>markdown download files convert</source>
        <translation>exportieren markdown herunterladen dateien</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>API keys</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>WebRAG stores keys in the system keyring, never in a file, and does not display them.</source>
        <translation>WebRAG speichert Schlüssel im Schlüsselbund des Systems, nie in einer Datei, und zeigt sie nicht an.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Keyring</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Opening the keyring…</source>
        <translation>Schlüsselbund wird geöffnet…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>keychain password manager wallet credentials</source>
        <translation>schlüsselbund passwörter kennwörter zugangsdaten</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Embedding server key</source>
        <translation>Schlüssel des Embedding-Servers</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Set…</source>
        <translation>Setzen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>api key openai embedding password</source>
        <translation>api-schlüssel api key openai embedding</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Google API key</source>
        <translation>API-Schlüssel für Google</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>api key google password</source>
        <translation>api-schlüssel api key google</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Brave API key</source>
        <translation>API-Schlüssel für Brave</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>api key brave password</source>
        <translation>api-schlüssel api key brave</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Tavily API key</source>
        <translation>API-Schlüssel für Tavily</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>api key tavily password</source>
        <translation>api-schlüssel api key tavily</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Privacy</source>
        <translation>Datenschutz</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Pages, questions and answers stay on this computer unless you set up an embedding server or join a shared library. Web searches go to your search provider. WebRAG does not send telemetry.</source>
        <translation>Seiten, Fragen und Antworten bleiben auf diesem Computer, außer Sie richten einen Embedding-Server ein oder treten einer gemeinsamen Bibliothek bei. Websuchen gehen an Ihren Suchanbieter. WebRAG sendet keine Nutzungsdaten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Recorded calls</source>
        <translation>Aufgezeichnete Aufrufe</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Permanently deletes all recorded calls, questions and citation dates. Pages are kept.</source>
        <translation>Löscht alle aufgezeichneten Aufrufe, Fragen und Zitierdaten endgültig. Seiten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Erase…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>clear history delete activity forget</source>
        <translation>verlauf löschen aktivität vergessen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Saved questions</source>
        <translation>Gespeicherte Fragen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Permanently deletes all questions. To erase a single question or day, open Activity.</source>
        <translation>Löscht alle Fragen endgültig. Einzelne Fragen oder Tage können Sie unter „Aktivität“ löschen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>clear history delete questions forget</source>
        <translation>verlauf löschen fragen vergessen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Diagnostic logging</source>
        <translation>Diagnoseprotokollierung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>For troubleshooting. Also logs call arguments and the start of each answer, on this computer only. Turns off after an hour or when you quit WebRAG.</source>
        <translation>Zur Fehlersuche. Protokolliert auch die Argumente von Aufrufen und den Anfang jeder Antwort, nur auf diesem Computer. Schaltet sich nach einer Stunde oder beim Beenden von WebRAG aus.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>debug troubleshooting support verbose</source>
        <translation>fehlersuche diagnose debug unterstützung ausführlich</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Log folder</source>
        <translation>Protokollordner</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>logs log file location path</source>
        <translation>protokolle log logdatei speicherort pfad</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Delete everything</source>
        <translation>Alles löschen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Choose what to delete: the library, log files, keys and settings.</source>
        <translation>Wählen Sie, was gelöscht wird: Bibliothek, Protokolldateien, Schlüssel und Einstellungen.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>erase all wipe factory reset uninstall remove data account</source>
        <translation>alles löschen zurücksetzen werkseinstellungen deinstallieren daten entfernen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>About</source>
        <translation>Info</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>WebRAG Desktop {}</source>
        <translation>WebRAG Desktop {}</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Copy details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>version build release system information</source>
        <translation>version systeminformationen ausgabe</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Check for updates</source>
        <translation>Nach Updates suchen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>upgrade new version latest download</source>
        <translation>update aktualisieren aktualisierung neue version herunterladen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Licenses</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>WebRAG is free software under the MIT license and uses other free software.</source>
        <translation>WebRAG ist freie Software unter der MIT-Lizenz und nutzt andere freie Software.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Show…</source>
        <translation>Anzeigen…</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>licence open source legal credits</source>
        <translation>lizenz lizenzen open source rechtliches</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Setup</source>
        <translation>Einrichtung</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Repeats the steps of the first start: model test, assistants, first pages.</source>
        <translation>Wiederholt die Schritte des ersten Starts: Modelltest, Assistenten, erste Seiten.</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Show setup</source>
        <translation>Einrichtung zeigen</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>wizard welcome tutorial onboarding first run setup</source>
        <translation>einrichtung einrichtungsassistent assistent willkommen erste schritte setup</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <location filename="../../assets/settings_page.toml"/>
        <source>configuration config toml path</source>
        <translation>konfiguration konfigurationsdatei config toml pfad</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <location filename="../../app/desktop/main_window.py"/>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>Changes are saved automatically.</source>
        <translation>Änderungen werden automatisch gespeichert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>Find a setting</source>
        <translation>Einstellung suchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>Sections of the settings</source>
        <translation>Bereiche der Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>Try another word. Some settings are only in the settings file; its location is under About.</source>
        <translation>Versuchen Sie ein anderes Wort. Manche Einstellungen gibt es nur in der Einstellungsdatei; ihren Ort zeigt „Info“.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>Show all settings</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>No matching settings</source>
        <translation>Keine passenden Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>1 change takes effect after a restart</source>
        <translation>1 Änderung gilt nach einem Neustart</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>{} changes take effect after a restart</source>
        <translation>{} Änderungen gelten nach einem Neustart</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>WebRAG uses the old values until then. Running calls get a moment to finish.</source>
        <translation>Bis dahin verwendet WebRAG die alten Werte. Laufende Aufrufe bekommen etwas Zeit, um fertig zu werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/page.py"/>
        <source>Restart now</source>
        <translation>Neu starten</translation>
    </message>
</context>
<context>
    <name>SharedLibraries</name>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Sign in again</source>
        <translation>Neu anmelden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Not reachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>{} is not reachable</source>
        <translation>{} ist nicht erreichbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Sign in again: {}</source>
        <translation>Neu anmelden: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>signed in as {}</source>
        <translation>angemeldet als {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>shared pages go to {}</source>
        <translation>geteilte Seiten kommen in {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Hidden</source>
        <translation>Ausgeblendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Embedding {}</source>
        <translation>Wird eingebettet: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Collection</source>
        <translation>Sammlung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Added by</source>
        <translation>Von</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Fetched</source>
        <translation>Abgerufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Hidden from everyone except owners</source>
        <translation>Nur für Besitzer sichtbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/libraries.py"/>
        <source>Hidden · {}</source>
        <translation>Ausgeblendet · {}</translation>
    </message>
</context>
<context>
    <name>SharedPane</name>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Refresh page</source>
        <translation>Seite aktualisieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>A shared library cannot refresh pages. Refresh your own copy and share it again.</source>
        <translation>Eine gemeinsame Bibliothek kann Seiten nicht aktualisieren. Eigene Kopie aktualisieren und erneut teilen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Copy citation</source>
        <translation>Quellenangabe kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Hide page</source>
        <translation>Seite ausblenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Withdraw page</source>
        <translation>Seite zurückziehen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Page text</source>
        <translation>Seitentext</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Unhide page</source>
        <translation>Seite wieder einblenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Only owners of the collection can hide its pages</source>
        <translation>Nur Besitzer der Sammlung können ihre Seiten ausblenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Only the user who added the page or an owner of the collection can withdraw it</source>
        <translation>Nur wer die Seite hinzugefügt hat oder die Sammlung besitzt, kann sie zurückziehen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>No one can find {} in the library after that. Your own copy on this computer is kept.</source>
        <translation>Danach findet niemand mehr {} in der Bibliothek. Ihre eigene Kopie auf diesem Computer bleibt erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Withdraw page?</source>
        <translation>Seite zurückziehen?</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Page withdrawn</source>
        <translation>Seite zurückgezogen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Page hidden</source>
        <translation>Seite ausgeblendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Page visible again</source>
        <translation>Seite wieder sichtbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>in the collection {}</source>
        <translation>in der Sammlung {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>added by {}</source>
        <translation>hinzugefügt von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>fetched {}</source>
        <translation>abgerufen {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>hidden from everyone except owners</source>
        <translation>nur für Besitzer sichtbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Citation copied</source>
        <translation>Quellenangabe kopiert</translation>
    </message>
</context>
<context>
    <name>SharedShelf</name>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Filter by title or address</source>
        <translation>Nach Titel oder Adresse filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Filter the shared library</source>
        <translation>Gemeinsame Bibliothek filtern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Shared library pages</source>
        <translation>Seiten der gemeinsamen Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>No page of {} contains these words in its title or address.</source>
        <translation>Keine Seite von {} enthält diese Wörter in Titel oder Adresse.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>No matching pages</source>
        <translation>Keine passenden Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>To share pages of your own library, open the menu of a page or collection.</source>
        <translation>Um Seiten Ihrer eigenen Bibliothek zu teilen, öffnen Sie das Menü einer Seite oder Sammlung.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>No pages you can read</source>
        <translation>Keine Seiten, die Sie lesen können</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Sign in…</source>
        <translation>Anmelden…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>the newest {} pages</source>
        <translation>die neuesten {} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>the newest {} pages; filter to find others</source>
        <translation>die neuesten {} Seiten; andere findet der Filter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/shelf.py"/>
        <source>more than {} hidden pages; unhide or withdraw some to see the others</source>
        <translation>mehr als {} ausgeblendete Seiten; einige einblenden oder zurückziehen, um die anderen zu sehen</translation>
    </message>
</context>
<context>
    <name>Sharing</name>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Share with {}</source>
        <translation>Mit {} teilen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Share {0} pages with {1}</source>
        <translation>{0} Seiten mit {1} teilen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Share its pages with {}</source>
        <translation>Die Seiten darin mit {} teilen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Choose in Settings where to share pages</source>
        <translation>In den Einstellungen wählen, wo Seiten geteilt werden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Share {0} pages with the collection {1} of {2}? Other users can then read their texts.</source>
        <translation>{0} Seiten mit der Sammlung {1} von {2} teilen? Andere können ihre Texte dann lesen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Share pages</source>
        <translation>Seiten teilen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>Sharing with {}…</source>
        <translation>Wird mit {} geteilt…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>The page is now in {0} of {1}</source>
        <translation>Die Seite ist jetzt in {0} von {1}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>{0} pages are now in {1} of {2}</source>
        <translation>{0} Seiten sind jetzt in {1} von {2}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library/actions.py"/>
        <source>; {0} could not be shared: {1}</source>
        <translation>; {0} konnten nicht geteilt werden: {1}</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <location filename="../../app/desktop/help.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <location filename="../../app/desktop/sidebar.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>SiteCard</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>The preview shows the pages and the time needed, and lets you skip folders.</source>
        <translation>Die Vorschau zeigt die Seiten und den Zeitbedarf. Ordner können dort ausgelassen werden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Checking the site…</source>
        <translation>Website wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>At least {}</source>
        <translation>Mindestens {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>About {} and {} for {}</source>
        <translation>Etwa {} und {} für {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>{} skipped by you</source>
        <translation>{} von Ihnen ausgelassen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>{} blocked by robots.txt</source>
        <translation>{} durch robots.txt gesperrt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>found through {}</source>
        <translation>gefunden über {}</translation>
    </message>
</context>
<context>
    <name>SitePanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>sitemap</source>
        <translation>Sitemap</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>feed</source>
        <translation>Feed</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>links</source>
        <translation>Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>pages in the library</source>
        <translation>Seiten der Bibliothek</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Adds pages in the background, at a pace that does not strain the site.</source>
        <translation>Fügt Seiten im Hintergrund hinzu, ohne die Website zu belasten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Add site</source>
        <translation>Website hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>https:// (start page)</source>
        <translation>https:// (Startseite)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Start page address</source>
        <translation>Adresse der Startseite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Maximum pages</source>
        <translation>Maximale Seitenzahl</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Link depth</source>
        <translation>Linktiefe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Pages below this address</source>
        <translation>Seiten unterhalb dieser Adresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Pages below {}</source>
        <translation>Seiten unterhalb von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>The whole site</source>
        <translation>Die ganze Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>The whole site {}</source>
        <translation>Die ganze Website {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>This page and the pages it links to</source>
        <translation>Diese Seite und die Seiten, auf die sie verlinkt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>This page, and the linked pages of {}</source>
        <translation>Diese Seite und die verlinkten Seiten von {}</translation>
    </message>
</context>
<context>
    <name>SiteTree</name>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>Site folders</source>
        <translation>Ordner der Website</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>(index page)</source>
        <translation>(Startseite des Ordners)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>… and {} more</source>
        <translation>… und {} weitere</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add/site.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
</context>
<context>
    <name>Sites</name>
    <message>
        <location filename="../../app/desktop/pages/page.py"/>
        <source>{} is blocked. WebRAG no longer opens it. Stored pages are kept.</source>
        <translation>{} ist gesperrt. WebRAG öffnet die Website nicht mehr. Gespeicherte Seiten bleiben erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/page.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>StateCard</name>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Server address</source>
        <translation>Serveradresse</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>HTTP assistants connect to this address. All others find WebRAG automatically.</source>
        <translation>Assistenten mit HTTP-Verbindung verwenden diese Adresse. Alle anderen finden WebRAG automatisch.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Copy server address</source>
        <translation>Serveradresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Answer assistants again</source>
        <translation>Assistenten wieder antworten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Assistants get no answers until you resume</source>
        <translation>Bis zum Fortsetzen bekommen Assistenten keine Antworten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Ready for your assistants</source>
        <translation>Bereit für Ihre Assistenten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Running, but assistants cannot connect</source>
        <translation>Läuft, aber Assistenten können sich nicht verbinden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>See the problem below.</source>
        <translation>Das Problem ist unten beschrieben.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Assistants see that WebRAG is paused.</source>
        <translation>Assistenten sehen, dass WebRAG pausiert ist.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Unlocking your keyring. You may have to enter your password.</source>
        <translation>Ihr Schlüsselbund wird entsperrt. Möglicherweise müssen Sie Ihr Passwort eingeben.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>The new version prepares your library once. It makes a backup first, and no page is lost.</source>
        <translation>Die neue Version bereitet Ihre Bibliothek einmalig vor. Sie erstellt zuerst eine Sicherung, und es geht keine Seite verloren.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Loading the search model and the library.</source>
        <translation>Suchmodell und Bibliothek werden geladen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Running with limited functions. See below.</source>
        <translation>Läuft mit eingeschränkten Funktionen. Mehr dazu unten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Answering 1 question.</source>
        <translation>Beantwortet 1 Frage.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Answering {} questions.</source>
        <translation>Beantwortet {} Fragen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>1 assistant is connected.</source>
        <translation>1 Assistent ist verbunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>{} assistants are connected.</source>
        <translation>{} Assistenten sind verbunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>No assistant is connected.</source>
        <translation>Kein Assistent ist verbunden.</translation>
    </message>
</context>
<context>
    <name>StateRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>WebRAG did not start.</source>
        <translation>WebRAG ist nicht gestartet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>WebRAG is starting.</source>
        <translation>WebRAG startet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Until this is fixed, WebRAG uses keyword search only. Stored pages are not affected.</source>
        <translation>Bis das behoben ist, verwendet WebRAG nur die Schlüsselwortsuche. Gespeicherte Seiten sind nicht betroffen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>keyword search only</source>
        <translation>nur Schlüsselwortsuche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Until this is fixed, semantic search only works for English.</source>
        <translation>Bis das behoben ist, arbeitet die semantische Suche nur für Englisch.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>English only</source>
        <translation>nur Englisch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>{} threads</source>
        <translation>{} Threads</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>on this computer, with {}</source>
        <translation>auf diesem Computer, mit {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>on the server {}, which receives passages and questions</source>
        <translation>auf dem Server {}, der Textstellen und Fragen erhält</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>same as the server's model</source>
        <translation>wie das Modell auf dem Server</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>{} dimensions each</source>
        <translation>mit je {} Dimensionen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>{} tokens, about {} words</source>
        <translation>{} Token, etwa {} Wörter</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Runs</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Vectors</source>
        <translation>Vektoren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Context length</source>
        <translation>Kontextlänge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>License</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Disk full: new pages are not saved</source>
        <translation>Datenträger voll: Neue Seiten werden nicht gespeichert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>The library is damaged</source>
        <translation>Die Bibliothek ist beschädigt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Updating the library: {}</source>
        <translation>Bibliothek wird aktualisiert: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Paused: assistants get no answers</source>
        <translation>Pausiert: Assistenten erhalten keine Antworten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Stopped</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Answering 1 call</source>
        <translation>Beantwortet 1 Aufruf</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Answering {} calls</source>
        <translation>Beantwortet {} Aufrufe</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>1 job in the background</source>
        <translation>1 Auftrag im Hintergrund</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>{} jobs in the background</source>
        <translation>{} Aufträge im Hintergrund</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Running on a different address: {}</source>
        <translation>Läuft unter einer anderen Adresse: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Semantic search ready</source>
        <translation>Semantische Suche bereit</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Semantic search for English only</source>
        <translation>Semantische Suche nur für Englisch</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Keyword search only</source>
        <translation>Nur Schlüsselwortsuche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>1 passage not embedded yet</source>
        <translation>1 Textstelle noch nicht eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>{} passages not embedded yet</source>
        <translation>{} Textstellen noch nicht eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Embedding 1 passage</source>
        <translation>1 Textstelle wird eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Embedding {} passages</source>
        <translation>{} Textstellen werden eingebettet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>{}, about {}</source>
        <translation>{}, etwa {}</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Paused on {}</source>
        <translation>Pausiert ({})</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Running on {}</source>
        <translation>Läuft unter {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>1 assistant connected</source>
        <translation>1 Assistent verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>{} assistants connected</source>
        <translation>{} Assistenten verbunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>1 job</source>
        <translation>1 Auftrag</translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>{} jobs</source>
        <translation>{} Aufträge</translation>
    </message>
</context>
<context>
    <name>StepsCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Close these steps</source>
        <translation>Diese Schritte schließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Finish connecting</source>
        <translation>Verbindung abschließen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Entry added</source>
        <translation>Eintrag angelegt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>{} found WebRAG</source>
        <translation>{} hat WebRAG gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Waiting for {}…</source>
        <translation>Warten auf {}…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>{} is connected and made its first call</source>
        <translation>{} ist verbunden und hat WebRAG zum ersten Mal aufgerufen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>It used the tool {}.</source>
        <translation>Verwendet wurde das Werkzeug {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Ask it something, for example: “Use WebRAG to read this page and summarize it.”</source>
        <translation>Fragen Sie ihn etwas, zum Beispiel: „Lies diese Seite mit WebRAG und fasse sie zusammen.“</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>First question</source>
        <translation>Erste Frage</translation>
    </message>
</context>
<context>
    <name>StorageSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Problems found</source>
        <translation>Gefundene Probleme</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>List copied</source>
        <translation>Liste kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Copy list</source>
        <translation>Liste kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Frees about {} of {}.</source>
        <translation>Gibt etwa {} von {} frei.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Could not read the sizes.</source>
        <translation>Die Größen lassen sich nicht lesen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>WebRAG is starting.</source>
        <translation>WebRAG startet.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>WebRAG is working on the library.</source>
        <translation>WebRAG arbeitet gerade an der Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Back up the library</source>
        <translation>Bibliothek sichern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Backups (*.db)</source>
        <translation>Sicherungen (*.db)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Backed up to {}.</source>
        <translation>Gesichert in {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Copying…</source>
        <translation>Wird kopiert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Choose a backup</source>
        <translation>Sicherung wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Backups (*.db);;All files (*)</source>
        <translation>Sicherungen (*.db);;Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>WebRAG is still calculating the sizes. Try again in a moment.</source>
        <translation>WebRAG ermittelt die Größen noch. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Checking the backup…</source>
        <translation>Sicherung wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Replace your library with the latest intact backup? Your current library is kept as a copy.</source>
        <translation>Ihre Bibliothek durch die neueste unbeschädigte Sicherung ersetzen? Die jetzige bleibt als Kopie erhalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Looking for an intact backup…</source>
        <translation>Eine unbeschädigte Sicherung wird gesucht…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Rebuild the library from what is still readable? Pages added during the repair are not included.</source>
        <translation>Bibliothek aus dem noch Lesbaren neu aufbauen? Seiten, die während der Reparatur hinzukommen, sind nicht enthalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Reading the library…</source>
        <translation>Bibliothek wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Start with an empty library? Nothing is deleted: your current library is kept as a copy, with its pages, jobs and pins.</source>
        <translation>Mit einer leeren Bibliothek beginnen? Nichts wird gelöscht: Die jetzige bleibt als Kopie erhalten, mit ihren Seiten, Aufträgen und angehefteten Textstellen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Creating an empty library…</source>
        <translation>Leere Bibliothek wird angelegt…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Automatic backups deleted</source>
        <translation>Automatische Sicherungen gelöscht</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Delete all automatic backups? This cannot be undone.</source>
        <translation>Alle automatischen Sicherungen löschen? Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>1 page restored.</source>
        <translation>1 Seite wiederhergestellt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>{} pages restored.</source>
        <translation>{} Seiten wiederhergestellt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>The previous library is kept as {}.</source>
        <translation>Die vorherige Bibliothek bleibt erhalten als {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Restoring the backup…</source>
        <translation>Sicherung wird wiederhergestellt…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Not recovered: {}.</source>
        <translation>Nicht wiederhergestellt: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>The text of 1 page could not be read: {}</source>
        <translation>Der Text von 1 Seite war nicht lesbar: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>The text of {} pages could not be read: {}</source>
        <translation>Der Text von {} Seiten war nicht lesbar: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>No problems found. The check took {}.</source>
        <translation>Keine Probleme gefunden. Die Prüfung dauerte {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>intact</source>
        <translation>intakt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>1 problem found.</source>
        <translation>1 Problem gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>{} problems found.</source>
        <translation>{} Probleme gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Restore a backup, or repair the library and report the list.</source>
        <translation>Stellen Sie eine Sicherung wieder her, oder reparieren Sie die Bibliothek, und melden Sie die Liste.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Freed {}. The library now uses {}.</source>
        <translation>{} freigegeben. Die Bibliothek belegt jetzt {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Compacting the library…</source>
        <translation>Bibliothek wird komprimiert…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Export all pages to</source>
        <translation>Alle Seiten exportieren nach</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Canceled. Files written so far are in {}.</source>
        <translation>Abgebrochen. Die bisher geschriebenen Dateien sind in {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>{} files</source>
        <translation>{} Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Exported to {}: {}.</source>
        <translation>Exportiert nach {}: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>{} pages could not be exported. The first: {} {}</source>
        <translation>{} Seiten konnten nicht exportiert werden. Die erste: {} {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage.py"/>
        <source>Writing files…</source>
        <translation>Dateien werden geschrieben…</translation>
    </message>
</context>
<context>
    <name>StorageStep</name>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>WebRAG stores everything in one folder on this computer. Copy that folder to back up or move your library.</source>
        <translation>WebRAG speichert alles in einem Ordner auf diesem Computer. Kopieren Sie ihn, um Ihre Bibliothek zu sichern oder umzuziehen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Where your pages are stored</source>
        <translation>Wo Ihre Seiten gespeichert werden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Space</source>
        <translation>Platz</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Checking the disk…</source>
        <translation>Datenträger wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Change location…</source>
        <translation>Speicherort ändern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>WebRAG cannot move its folder while it is running. Quit WebRAG, move the folder, and start WebRAG with the command below. Then connect your assistants.</source>
        <translation>WebRAG kann seinen Ordner nicht verschieben, während es läuft. Beenden Sie WebRAG, verschieben Sie den Ordner und starten Sie WebRAG mit dem Befehl unten. Verbinden Sie danach Ihre Assistenten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>FOLDER</source>
        <translation>ORDNER</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/facts.py"/>
        <source>{} used, {} free on this disk.</source>
        <translation>{} belegt, {} auf diesem Datenträger frei.</translation>
    </message>
</context>
<context>
    <name>StoredPage</name>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>Copy with source</source>
        <translation>Mit Quelle kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>Open in Library</source>
        <translation>In der Bibliothek öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>Open in browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>Page of the result</source>
        <translation>Seite des Treffers</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>Page not found</source>
        <translation>Seite nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview/stored.py"/>
        <source>The page was deleted after the search. Search again.</source>
        <translation>Die Seite wurde nach der Suche gelöscht. Suchen Sie erneut.</translation>
    </message>
</context>
<context>
    <name>TestRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Testing…</source>
        <translation>Wird getestet…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>{} ms per question, {} passages per second.</source>
        <translation>{} ms je Frage, {} Textstellen je Sekunde.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>This model has no reference vectors to compare.</source>
        <translation>Für dieses Modell gibt es keine Referenzvektoren zum Vergleich.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Its vectors differ too much from the built-in model's to estimate confidence.</source>
        <translation>Seine Vektoren unterscheiden sich zu stark von denen des eingebauten Modells, um die Verlässlichkeit zu schätzen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>Its vectors match the reference to {} (cosine {}).</source>
        <translation>Seine Vektoren stimmen zu {} mit der Referenz überein (Kosinus {}).</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>failed</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>The model is damaged or has been replaced. Choose another model.</source>
        <translation>Das Modell ist beschädigt oder wurde ersetzt. Ein anderes Modell wählen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>The model is damaged or has been replaced. Reinstall WebRAG.</source>
        <translation>Das Modell ist beschädigt oder wurde ausgetauscht. Installieren Sie WebRAG neu.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/models.py"/>
        <source>The search model could not be tested.</source>
        <translation>Das Suchmodell konnte nicht getestet werden.</translation>
    </message>
</context>
<context>
    <name>Tiles</name>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Web pages and files in your library.</source>
        <translation>Webseiten und Dateien in Ihrer Bibliothek.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Questions from assistants in the last seven days.</source>
        <translation>Fragen von Assistenten in den letzten sieben Tagen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Questions this week</source>
        <translation>Fragen diese Woche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Full length of the pages minus the returned text. One token is about ¾ of a word.</source>
        <translation>Volle Länge der Seiten abzüglich des zurückgegebenen Textes. Ein Token entspricht etwa ¾ eines Wortes.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Tokens saved this week</source>
        <translation>Gesparte Token, 7 Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>The last failed call and its reason.</source>
        <translation>Der letzte fehlgeschlagene Aufruf mit seinem Grund.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Last error</source>
        <translation>Letzter Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>{pages} with {passages}, {size} on disk</source>
        <translation>{pages} mit {passages}, {size} auf diesem Datenträger</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Assistants received {} more tokens than the pages contain.</source>
        <translation>Assistenten erhielten {} Token mehr, als die Seiten enthalten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Extra tokens this week</source>
        <translation>Zusätzliche Token, 7 Tage</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>None</source>
        <comment>no problem</comment>
        <translation>Keines</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home/cards.py"/>
        <source>Error, {}</source>
        <translation>Fehler, {}</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>TokenRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Copy access token</source>
        <translation>Zugangstoken kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Replace access token</source>
        <translation>Zugangstoken ersetzen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Token copied. Keep it secret.</source>
        <translation>Token kopiert. Halten Sie es geheim.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Assistants that connect over HTTP need the new token. Bridges use it automatically.</source>
        <translation>Assistenten, die sich über HTTP verbinden, brauchen das neue Token. Brücken verwenden es automatisch.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/server.py"/>
        <source>Access token replaced</source>
        <translation>Zugangstoken ersetzt</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <location filename="../../app/desktop/settings_store.py"/>
        <source>{0} tools, about {1} tokens</source>
        <translation>{0} Werkzeuge, etwa {1} Token</translation>
    </message>
</context>
<context>
    <name>ToolsCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Change tools</source>
        <translation>Werkzeuge ändern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Available tools: {}</source>
        <translation>Verfügbare Werkzeuge: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients/pane.py"/>
        <source>Uses {} of every conversation.</source>
        <translation>Belegt {} jedes Gesprächs.</translation>
    </message>
</context>
<context>
    <name>ToolsOffer</name>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>All tools</source>
        <translation>Alle Werkzeuge</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Standard tools, enough for most questions</source>
        <translation>Standardwerkzeuge, genug für die meisten Fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Available tools</source>
        <translation>Verfügbare Werkzeuge</translation>
    </message>
</context>
<context>
    <name>TraceView</name>
    <message>
        <location filename="../../app/desktop/pages/activity/trace.py"/>
        <source>Requested pages</source>
        <translation>Angefragte Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/trace.py"/>
        <source>Round {} of at most {}</source>
        <translation>Runde {} von höchstens {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/trace.py"/>
        <source>1 more link considered, not followed</source>
        <translation>1 weiterer Link geprüft, nicht verfolgt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/trace.py"/>
        <source>{} more links considered, not followed</source>
        <translation>{} weitere Links geprüft, nicht verfolgt</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/trace.py"/>
        <source>How the answer was found</source>
        <translation>Wie die Antwort gefunden wurde</translation>
    </message>
</context>
<context>
    <name>Traces</name>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>The call ended before this page was read.</source>
        <translation>Der Aufruf endete, bevor diese Seite gelesen wurde.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Used</source>
        <translation>Verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>1 passage used</source>
        <translation>1 Textstelle verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>{} passages used</source>
        <translation>{} Textstellen verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>link score {}</source>
        <translation>Link-Bewertung {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>best passage {}</source>
        <translation>beste Textstelle {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Found enough.</source>
        <translation>Genug gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Reached the link-following limit.</source>
        <translation>Grenze für das Verfolgen von Links erreicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Reached the time limit for reading pages.</source>
        <translation>Zeitgrenze für das Lesen von Seiten erreicht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>No other link looked promising.</source>
        <translation>Kein weiterer Link war vielversprechend.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>More pages did not improve the results.</source>
        <translation>Weitere Seiten brachten keine besseren Ergebnisse.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Following links was not requested.</source>
        <translation>Das Verfolgen von Links war nicht verlangt.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Searched stored pages only.</source>
        <translation>Nur gespeicherte Seiten durchsucht.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>Nothing on these pages matches the question.</source>
        <translation>Nichts auf diesen Seiten passt zur Frage.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>1 page read</source>
        <translation>1 Seite gelesen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>{} pages read</source>
        <translation>{} Seiten gelesen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>1 used in the answer</source>
        <translation>1 in der Antwort verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>{} used in the answer</source>
        <translation>{} in der Antwort verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>1 failed</source>
        <translation>1 fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>{} failed</source>
        <translation>{} fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>1 waiting</source>
        <translation>1 wartet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/traces.py"/>
        <source>{} waiting</source>
        <translation>{} warten</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>WebRAG: {}</source>
        <translation>WebRAG: {}</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Open WebRAG</source>
        <translation>WebRAG öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Add page from clipboard</source>
        <translation>Seite aus Zwischenablage hinzufügen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Ask…</source>
        <translation>Fragen…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Fix Ask window shortcut…</source>
        <translation>Tastenkürzel des Fragefensters ändern…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Copy server address</source>
        <translation>Serveradresse kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>{0}, {1} passages used</source>
        <translation>{0}, {1} Textstellen verwendet</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Question: {}</source>
        <translation>Frage: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>No passage answers this. Closest passages:</source>
        <translation>Keine Textstelle beantwortet das. Die ähnlichsten Textstellen:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Only similar passages were found:</source>
        <translation>Nur ähnliche Textstellen wurden gefunden:</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Show 1 more passage</source>
        <translation>1 weitere Textstelle anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Show {} more passages</source>
        <translation>{} weitere Textstellen anzeigen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Nothing was found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>The call was canceled.</source>
        <translation>Der Aufruf wurde abgebrochen.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Open the passage in {}</source>
        <translation>Textstelle in {} öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Open the page {}</source>
        <translation>Seite {} öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>{} (not in the library)</source>
        <translation>{} (nicht in der Bibliothek)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>{} tokens</source>
        <translation>{} Token</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Ask again</source>
        <translation>Noch einmal fragen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Ask this question on the Search page</source>
        <translation>Diese Frage auf der Seite „Suche“ stellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Question copied</source>
        <translation>Frage kopiert</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Copy question</source>
        <translation>Frage kopieren</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>Erase this question permanently</source>
        <translation>Diese Frage endgültig löschen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity/turns.py"/>
        <source>unknown assistant</source>
        <translation>unbekannter Assistent</translation>
    </message>
</context>
<context>
    <name>UpdateRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Open download page</source>
        <translation>Download-Seite öffnen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>This build has no update address. Check the site where you downloaded WebRAG.</source>
        <translation>Diese Ausgabe hat keine Update-Adresse. Sehen Sie auf der Website nach, von der Sie WebRAG heruntergeladen haben.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Last check: {}.</source>
        <translation>Letzte Prüfung: {}.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>WebRAG only checks. It does not download or install anything.</source>
        <translation>WebRAG prüft nur, lädt nichts herunter und installiert nichts.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>version {} available</source>
        <translation>Version {} verfügbar</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>You have version {}. Open the download page to see what is new.</source>
        <translation>Sie haben Version {}. Auf der Download-Seite steht, was neu ist.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>up to date</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/about.py"/>
        <source>You have the latest version, {}.</source>
        <translation>Sie haben die neueste Version {}.</translation>
    </message>
</context>
<context>
    <name>UseRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Daily backups, and libraries replaced by a restore</source>
        <translation>Tägliche Sicherungen und beim Wiederherstellen ersetzte Bibliotheken</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Pages, passages and their links</source>
        <translation>Seiten, Textstellen und ihre Links</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Semantic search</source>
        <translation>Semantische Suche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Data for semantic search</source>
        <translation>Daten für die semantische Suche</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Search indexes</source>
        <translation>Suchindizes</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Keywords and the graph</source>
        <translation>Schlüsselwörter und der Graph</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Pinned passages</source>
        <translation>Angeheftete Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Passages that you pinned</source>
        <translation>Textstellen, die Sie angeheftet haben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Saved images of pages</source>
        <translation>Gespeicherte Bilder von Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Activity and logs</source>
        <translation>Aktivität und Protokolle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Recorded calls, jobs and log files</source>
        <translation>Aufgezeichnete Aufrufe, Aufträge und Protokolldateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Backups and previous libraries</source>
        <translation>Sicherungen, ältere Dateien</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Reclaimable</source>
        <translation>Freizugeben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Space of deleted pages. Compact frees it.</source>
        <translation>Platz gelöschter Seiten. „Komprimieren“ gibt ihn frei.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Disk space by kind</source>
        <translation>Speicherplatz nach Art</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>{} pages</source>
        <translation>{} Seiten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>1 passage</source>
        <translation>1 Textstelle</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>{} passages</source>
        <translation>{} Textstellen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>{} with {}, {} in total. {} free on the disk.</source>
        <translation>{}, {}, insgesamt {}. {} auf dem Datenträger frei.</translation>
    </message>
</context>
<context>
    <name>WelcomeStep</name>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Five short steps. You can skip any of them and change everything later.</source>
        <translation>Fünf kurze Schritte. Sie können jeden überspringen und alles später ändern.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Welcome to WebRAG</source>
        <translation>Willkommen bei WebRAG</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Claude, Cursor and other assistants ask WebRAG and get the relevant passages, with exact quotes that you can check.</source>
        <translation>Claude, Cursor und andere Assistenten fragen WebRAG und erhalten die passenden Textstellen mit genauen Zitaten, die Sie prüfen können.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Pages, questions and the search model stay on this computer. You do not need an account or API key.</source>
        <translation>Seiten, Fragen und das Suchmodell bleiben auf diesem Computer. Sie brauchen weder Konto noch API-Schlüssel.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>WebRAG fetches pages that you or your assistant request. It does not send telemetry.</source>
        <translation>WebRAG ruft Seiten ab, die Sie oder Ihr Assistent anfordern. Es sendet keine Nutzungsdaten.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Your assistant answers from pages you choose</source>
        <translation>Ihr Assistent antwortet aus Seiten, die Sie wählen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Your library stays on this computer</source>
        <translation>Ihre Bibliothek bleibt auf diesem Computer</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Downloads only the pages you ask for</source>
        <translation>Lädt nur Seiten herunter, die Sie anfordern</translation>
    </message>
</context>
<context>
    <name>Wizard</name>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Set up WebRAG</source>
        <translation>WebRAG einrichten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Skip setup</source>
        <translation>Alles überspringen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Step {} of {}</source>
        <translation>Schritt {} von {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Skip this step</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{}%</source>
        <translation>{} %</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>1 minute ago</source>
        <translation>vor 1 Minute</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{} minutes ago</source>
        <translation>vor {} Minuten</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>1 hour ago</source>
        <translation>vor 1 Stunde</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{} hours ago</source>
        <translation>vor {} Stunden</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{} days ago</source>
        <translation>vor {} Tagen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
</context>
<context>
    <name>WorkRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Progress: {}</source>
        <translation>Fortschritt: {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>failed</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Canceled. Nothing was changed.</source>
        <translation>Abgebrochen. Nichts wurde geändert.</translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings/storage_rows.py"/>
        <source>Stopping…</source>
        <translation>Wird beendet…</translation>
    </message>
</context>
</TS>
