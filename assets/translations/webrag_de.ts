<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>About</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Copy details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Show…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Show the licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Open the folder of the settings file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>WebRAG Desktop {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Check once a week</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Sends nothing but the request itself. A new version is announced here and in the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Address to ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>A small list of versions; empty asks nobody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>WebRAG is free software under the MIT licence; it is made with other free software.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Settings file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Details copied, without names and keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Version {} of WebRAG is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActivityModel</name>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Invalid request</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Timed out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Over a limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Internal error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Reading pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Understanding the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Comparing passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Following links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Putting it together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/activity.py"/>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>What assistants asked for. Questions and texts are not recorded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>How many tokens assistants were given, and how many they were spared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>What is read in the background. Jobs go on after a restart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Erase the activity record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Forget all recorded calls? Pages and answers are not touched. This cannot be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Recording…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>What is recorded of calls; switch it off or erase it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>What is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>What assistants asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>How many tokens assistants were given on each day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>Sites, folders and lists that are read in the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity.py"/>
        <source>The record of calls is erased</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AddPageDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>Add to the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>What to add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>One page, or a list of pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>Site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>A page and those around it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>Folder or file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>What is on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AddressRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_state.py"/>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_state.py"/>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_state.py"/>
        <source>Copy the server's address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_state.py"/>
        <source>Not listening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_state.py"/>
        <source>Address copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Announcements</name>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>{} are left on the disk with the library. New pages may not be stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>The disk is nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>Finished: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>1 page was read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>{} pages were read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>1 page could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>{} pages could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/announcements.py"/>
        <source>Ended with an error: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerCard</name>
    <message>
        <location filename="../../app/desktop/wizard/answer_card.py"/>
        <source>Open in the Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/answer_card.py"/>
        <source>The passage that was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/answer_card.py"/>
        <source>found in {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswersSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>How evidence for a question is found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Rounds of followed links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>How far an answer may go beyond the pages it was given. 0 stays on them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Compare word by word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Puts the passages that answer best first. More exact, a few milliseconds slower.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Results from documentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Most pages that a search in stored documentation gives.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantCard</name>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>What an assistant pays to read this text, in tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>Text copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>What the assistant would see</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>Tool of the assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>The tool that the assistant calls; each words what was found in its own way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>Copy this text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>With the tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>Asking {}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_assistant.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantHead</name>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Test the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Start the entry as the assistant does, and see whether it works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Open the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Whatever speaks MCP (Model Context Protocol) can use WebRAG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Nothing of it was seen on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>It is installed here, and does not know of WebRAG yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Repair…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_head.py"/>
        <source>Replace its entry…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantLine</name>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Open now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Last used: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Found on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Has not asked anything yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantList</name>
    <message>
        <location filename="../../app/desktop/pages/clients_list.py"/>
        <source>Assistants</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantPane</name>
    <message>
        <location filename="../../app/desktop/pages/clients_detail.py"/>
        <source>No assistant was found on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_detail.py"/>
        <source>WebRAG connects itself to the ones listed here: install one and start it once. Any other takes the entry below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_detail.py"/>
        <source>Its configuration has a problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_detail.py"/>
        <source>Its entry is not as it should be</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantRow</name>
    <message>
        <location filename="../../app/desktop/wizard/assistant_row.py"/>
        <source>Connect {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistant_row.py"/>
        <source>Show change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistant_row.py"/>
        <source>Show the change for {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistant_row.py"/>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistant_row.py"/>
        <source>Connected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Assistants</name>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Restart it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Waiting for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Entry to copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Not possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Open now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Connected · used {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Used {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Last used {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>It uses WebRAG by an entry that is in none of its usual files, such as one of a project. {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Open now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>Open now, {} times.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>No question yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>It has not asked anything yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>{} has an entry called “webrag” that starts another program: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/assistants.py"/>
        <source>The entry is there, but {} keeps it switched off. Switch it on in its settings.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantsCard</name>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Connect an assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>Looking for assistants…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>None was found on this computer. “Connect…” shows what to do for each known one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>and 1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_assistants.py"/>
        <source>and {} more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantsStep</name>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect your assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>WebRAG adds one entry to the settings of each ticked assistant. Nothing is written before you say so.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Every other line stays, and the file is backed up first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>The change of the assistant's settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>No assistant was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Install one and come back: the page Clients of the window connects it, or gives an entry to copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Hide change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Show change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect 1 assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect {} assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>1 assistant is connected. Quit it completely and start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>{} assistants are connected. Quit them completely and start them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/assistants.py"/>
        <source>Writing…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <location filename="../../app/desktop/banners.py"/>
        <source>Dismiss this notice</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ByHandCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Kind of entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>The assistant starts WebRAG's bridge by itself (stdio)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>The assistant calls the address of the running WebRAG (HTTP)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Only the command, for assistants with a form to fill in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Connect it by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>The entry to paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Put in the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>With this token any program on this computer can use WebRAG: paste it only where you need it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>It starts WebRAG when it is needed, and holds no secret.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>For assistants that ask for the command of a server in a form.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>WebRAG does not listen on any address now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>It works while WebRAG runs. The token proves who calls; it is put in only when you ask for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Entry copied with its token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_by_hand.py"/>
        <source>Entry copied: paste it into your assistant</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CallDetails</name>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Forget “{}”? Its text is deleted from the Library. An assistant may read it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Forget this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Open passage {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>What is shown of the call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>The pages that the call touched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>How it was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Which links were followed, and what each page gave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Ask again in Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Pages of the call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>This call touched no page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>How an answer was found is remembered until WebRAG is closed. Nothing is known of this call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Open page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Forget page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Delete its text from the Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Block site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Never read a page of this site again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>No call is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>unknown assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>1 token returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>{} tokens returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>about {} tokens not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Open passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Choose a page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_details.py"/>
        <source>Page forgotten</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CallsPane</name>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Tool calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>No call matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Filter by assistant, tool or page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Filter the calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>All outcomes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Let the list stand still while you read; calls go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>No calls yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Connect an assistant and ask it something about a web page: each call appears here as it happens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Connect an assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>All assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>All tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Continue ({} new)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_calls.py"/>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CheckLine</name>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>Failed: {}: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Checklist</name>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>Hide this list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>Getting started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>The model works on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>Set-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>An assistant is connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>The library holds a page of yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>Add page…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>An assistant has asked something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>How?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChecklistItem</name>
    <message>
        <location filename="../../app/desktop/pages/home_checklist.py"/>
        <source>{} (done)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChunksView</name>
    <message>
        <location filename="../../app/desktop/pages/document_chunks.py"/>
        <source>Chunks of the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_chunks.py"/>
        <source>This page has no chunks yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_chunks.py"/>
        <source>Text of the chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_chunks.py"/>
        <source>Show in the page</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClientToolsRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Tools by assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>For assistants that should get others than these: name=tools, separated by commas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Connected now: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClientsModel</name>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>On this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Not found here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/clients.py"/>
        <source>Any other assistant</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClientsPage</name>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>Clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>The assistants on this computer that can use WebRAG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>The files of the assistants are being read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>No assistant that WebRAG knows was found on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>1 assistant found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>{} assistants found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>1 connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>{} connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients.py"/>
        <source>WebRAG's entry for {} is written again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>Assistants are still served. Quit WebRAG in this menu.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>WebRAG stays in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>Close WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>Keep serving assistants?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>This desktop shows no tray, so WebRAG would wait as a small window in the taskbar.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>Keep running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/closing.py"/>
        <source>Do this every time. The settings can change it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConnectClientDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Disconnect {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Connect {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>The change of the configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Disconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Take the entry out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Write this change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Afterwards: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>This is the whole change; every other line stays. The file is backed up before it is written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>{} has no entry of WebRAG; nothing is to be changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>{} has the right entry already; nothing is to be changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>{} is connected. {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/connect_client.py"/>
        <source>WebRAG was taken out of {}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContentRow</name>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>https:// – the address of a page you often look into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Address of a page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Add a page or a folder, if you like</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Reading {}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Looking through {}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>Choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>{} passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>“{}” is in the library: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/content_row.py"/>
        <source>“{}” is being read in the background and kept up to date. Activity shows how far it is.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <location filename="../../app/desktop/wizard/copy_button.py"/>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CountsBar</name>
    <message>
        <location filename="../../app/desktop/pages/jobs_counts.py"/>
        <source>What became of the pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>Something went wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>WebRAG met an error it did not expect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>You can go on working. If it happens again, restart WebRAG and report the text below; it was not sent to anyone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>Report of the error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>Open log folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/crash.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Crawling</name>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>“{}” is an address. Give the name of the site only, as in example.com.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>“{}” is not the name of a site, as in example.com.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CrawlingSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Crawling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>How pages are read from the web, and which may be read at all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Time for one page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>A page that takes longer counts as not readable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Requests at the same time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Over all sites. One site is never asked faster than it wants.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Check pages again after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>An answer asks the site first whether an older page has changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source> days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Other times for single sites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Days by site; subdomains other than www. are sites of their own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Do not ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Obey for followed links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Always obey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Pages built by JavaScript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Opens such pages in a hidden browser and reads what it shows. Slower; needs the optional renderer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Wishes of sites (robots.txt)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Pages that a person or assistant names can be read like in a browser.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Assistants can have WebRAG read what stands there, such as routers, printers and internal sites. Allow only what you would show them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Blocked sites</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Never read, with all their subdomains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Allowed sites in private networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>May be read although their address is private. All other private addresses are blocked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Allowed private networks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_crawling.py"/>
        <source>Every address in them may be read, this computer's own services included.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DeleteDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Delete what is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Delete what WebRAG keeps on this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Nothing brings it back but a backup that you made elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Pages, vectors, activity, jobs, pinned passages and earlier libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Log files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Those of today and of the days before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Keys of providers and the access token, in the keyring too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Everything goes back to its default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Write “{}” to confirm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/delete_everything.py"/>
        <source>Delete for good</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DesktopApp</name>
    <message>
        <location filename="../../app/desktop/application.py"/>
        <source>Server address copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DetailModels</name>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Heading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Characters {} of the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Found by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>words, meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Waits for its vector: found by its words only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Has a vector: found by its words and by its meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>characters {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>found by words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>found by words and meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>a heading or fence is repeated around it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Link text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/details.py"/>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DiagnosticsRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Diagnostic logging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>For finding a fault: the log then also holds the arguments of calls and the beginning of their answers, on this computer only. It ends by itself after an hour, and when WebRAG is quit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>on for {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DiffView</name>
    <message>
        <location filename="../../app/desktop/diff_view.py"/>
        <source>line {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DoctorRun</name>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Its configuration can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>WebRAG is in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>The program it starts is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Answers in the usual protocol</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Ends when the assistant ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Answers in the new protocol</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Ends there too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Offers tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Names are accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Descriptions arrive whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Inputs are well described</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>The same tools in both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Its instructions arrive whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>Only answers are written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/doctor_run.py"/>
        <source>It is switched on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DocumentFacts</name>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Age</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Safety</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>In the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>What identifies this page, and what assistants cite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>The site or folder it is from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>What may be missing from the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>When the page was last read from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Text changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>When its text was last different from before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Last modified</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>What the site, or the file itself, says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Last cited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>When an assistant was last given a passage of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Entity tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>By this the site tells whether the page has changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Passages that speak to an assistant instead of a reader, and addresses that may carry data away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Flags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>1 character</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{characters}, {tokens}, {bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Whether search by meaning reaches all of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Tokens are what assistants count text in, about four characters each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{}, {} with vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>The pieces that are searched; those with vectors are found by meaning too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Sections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Their descriptions are kept, the pictures are not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Content hash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Two texts with the same hash are the same; quotes are checked against it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{} ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>Not yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{}, unchanged since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>1 passage is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{} passages are new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/document_facts.py"/>
        <source>{}, since then {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DocumentPane</name>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Save as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Markdown (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Saved as {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Text of the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Copied: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Refresh this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Copy citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Delete this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Del</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>Open the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>This link does not lead to a web page: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>The page has not changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>The page was updated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document.py"/>
        <source>The page was read again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DropOverlay</name>
    <message>
        <location filename="../../app/desktop/intake/overlay.py"/>
        <source>Drop to add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/overlay.py"/>
        <source>Add to the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/overlay.py"/>
        <source>Looking at what you hold…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Embedder</name>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>The self-test tells how long that takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>That takes about {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmbedderSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Embedder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>The model behind search by meaning. The built-in one works without network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Hosted embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Address of an OpenAI-compatible server; empty uses the built-in model. Texts of pages are sent there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Model of the hosted server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>As the server names it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Work on battery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Off: new pages are found by keyword only until the computer is plugged in. Questions always work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>1 stored passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>{} stored passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>How long that takes depends on the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>After the restart {} get new vectors, because those of another model cannot be compared. {} Until then these are found by keyword.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Something went wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>See the log file for details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Invalid input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Correct the value and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Outside the scope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Leave out scope.project_id, or give the project of this instance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Passage expired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Call kb.search again; it gives new passage ids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Setting not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Check that the address opens in a browser, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Not a web address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Give a full address that starts with http:// or https://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Address not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Private networks are blocked. Allow this one in Settings &gt; Crawling (WEBRAG_ALLOW_NETWORKS) if it is yours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Disallowed by robots.txt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Name the address explicitly to read it as a person would.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page asks not to be indexed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Content protected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Open the page in a browser, save it as a file and add the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The site answered with an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Too many redirects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use a more specific page of the same site.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Kind of file not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Web pages, Markdown, plain text, PDF, MHTML files and feeds can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The site did not answer in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again, or raise REQUEST_TIMEOUT_MS in Settings &gt; Crawling.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>No readable text on this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The page may need JavaScript. Look for a printable or plain version of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page needs JavaScript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Page could not be rendered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Install the optional renderer (webrag-desktop[render]) and switch it on in Settings &gt; Crawling.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>File could not be read safely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>The file may be damaged. Try a smaller or simpler version of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Web search failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again in a minute, or choose another provider in Settings &gt; Search provider.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Web search is not set up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search key refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search not possible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use a shorter query, a two-letter country as region and a code such as en or pt-BR as language.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search limit reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Search took too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>File or folder not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Check that it exists and can be read, and that it is no link to another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>No such job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Call `status` without arguments, or run `webrag jobs`, to see the jobs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Corpus not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Run `webrag verify` to see what is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Corpus made by a newer version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Update WebRAG Desktop, or start with another data directory (--data-dir).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Corpus busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Try again in a few seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Embedding model not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Reinstall the application, or choose another embedder in Settings &gt; Embedder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Corpus made with another embedding model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Keyword search keeps working while the corpus is embedded again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Graph switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use kb.search or kb.retrieve_evidence; GRAPH_ENABLED in Settings &gt; Retrieval switches it on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Already running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Use the running instance, or give another --data-dir.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Not running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Start WebRAG Desktop, or run `webrag serve`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Resume WebRAG in its window or tray menu, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Busy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Wait for the seconds given and call again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Timed out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Retry with expansion_budget=0, or name a more specific page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Client configuration not changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Repair the file by hand, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>No answer about updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Start at login not changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/errors.py"/>
        <source>Change it in the settings of your system, or try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Put the entry in by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Save it as UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Check its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/clients/config_file.py"/>
        <source>Look at the change again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/clients/memory.py"/>
        <source>Check the permissions of the data directory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/clients/registrar.py"/>
        <source>Install it and start it once, or register with --force.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Restore a backup, or move the file away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Free some space and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Check the folder and its permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/database.py"/>
        <source>Reinstall the application.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/folder_names.py"/>
        <source>Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/folder_names.py"/>
        <source>`webrag folder list` shows all names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Free some space or choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Choose another data directory (--data-dir).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/migrations.py"/>
        <source>Choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/replacing.py"/>
        <source>Name a file that `webrag backup` wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/replacing.py"/>
        <source>Is the disk full?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/replacing.py"/>
        <source>Take another backup.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/replacing.py"/>
        <source>Name a backup of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/replacing.py"/>
        <source>Take another backup; nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/corpus/writing.py"/>
        <source>Add the folder again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/__main__.py"/>
        <source>Wait a moment and try again, or end that process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/backend.py"/>
        <source>Choose another port in Settings, or end the program that uses this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/export_file.py"/>
        <source>Read it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Open it in the browser, or add it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/platform/autostart_registry.py"/>
        <source>Install WebRAG in a folder with a shorter path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/platform/entry_file.py"/>
        <source>Check that you may write to this folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/docsets/export.py"/>
        <source>Name a new file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/docsets/names.py"/>
        <source>Name the folder too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/docsets/sections.py"/>
        <source>Name an earlier part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/embed/http.py"/>
        <source>It may run another model now. Restart WebRAG to use that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/bounds.py"/>
        <source>Ask the question itself; put background into known_context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/bounds.py"/>
        <source>Say what to look for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/bounds.py"/>
        <source>Ask for one thing in a few words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/care.py"/>
        <source>See the reason above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/care.py"/>
        <source>Set its address under Embedder first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/erasing.py"/>
        <source>Delete it by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Name a page, or ask `search` about what is indexed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Look at it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/facade.py"/>
        <source>Start it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/engine/updates.py"/>
        <source>Look at the project's page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/extract/pdf/document.py"/>
        <source>Make its text readable with a program for text recognition (OCR), then add the file again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/crawl.py"/>
        <source>Start the crawl at a page of the site that programs may read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>Leave out the folders that hold them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>Write it as in /archive/.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/options.py"/>
        <source>Start the crawl again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/crawling/page_list.py"/>
        <source>Import it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/files.py"/>
        <source>Split it into smaller files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/files.py"/>
        <source>Connect its disk; or remove the folder from WebRAG if it is meant to be empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Give the folder that holds the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Change the folder's permissions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Remove the folder, then add it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/folders/scan.py"/>
        <source>Add a folder inside it, for instance the one with your notes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>There is nothing to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Add it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/jobs.py"/>
        <source>Add it again to read its files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Wait until some are done, or cancel some.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Retry it, or start a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/ingest/runner/queue.py"/>
        <source>Start it anew to read everything again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/instance.py"/>
        <source>It ends by itself or with Ctrl+C; then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/instance.py"/>
        <source>Give another --data-dir.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/retrieval/analysis/analyse.py"/>
        <source>Ask with at least one word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/cursors.py"/>
        <source>Give it with the same arguments as before, or call again without one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/resolving.py"/>
        <source>Give ids of graph results (d12, s12.3, e345), a section_id or passage_id of kb.search, a stored page's URL, or an entity.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/retrieval/graph/service.py"/>
        <source>Name two different nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/scratch/pins.py"/>
        <source>Unpin or delete passages that you no longer need.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/scratch/store.py"/>
        <source>Ask for a smaller part, or raise SCRATCH_MAX_MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/scratch/store.py"/>
        <source>List the kept passages to see what there is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/settings.py"/>
        <source>Remove or correct this line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/politeness.py"/>
        <source>Try again after that time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/problems.py"/>
        <source>Check the date of this computer. A company's own authority must be known to the system.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>Give the address where the page really is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/rendering.py"/>
        <source>Start WebRAG and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/search/client.py"/>
        <source>Ask for fewer results.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/search/locales.py"/>
        <source>Give a two-letter country code such as us or de.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/search/locales.py"/>
        <source>Give a code such as en, de or pt-BR.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/web/search/service.py"/>
        <source>Send fewer queries at once, or this one alone.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FacetPanel</name>
    <message>
        <location filename="../../app/desktop/pages/library_facets.py"/>
        <source>Filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_facets.py"/>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_facets.py"/>
        <source>Clear the filters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FacetTree</name>
    <message>
        <location filename="../../app/desktop/models/facet_tree.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/facet_tree.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/facet_tree.py"/>
        <source>Show all {}…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FactsView</name>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Details of the passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>{} characters, {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Kept for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Documentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_facts.py"/>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FileRow</name>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>Copy the path of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>Open the folder of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>The entry of WebRAG in this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>has the entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>another entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>no entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>not there yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>Path copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilesCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>Disconnect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>Its configuration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_files.py"/>
        <source>WebRAG writes only its own entry; every other line stays as it is, and the file is backed up first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilesPanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Markdown, HTML, MHTML, PDF and text files, or bookmarks exported from a browser. The files of a folder are kept up to date until you remove the folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Path of a folder or file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Choose files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Added “{}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Added {} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>{} of {} files could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Folders in the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>… and {} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>{} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Look through {} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Remove {} from the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_files.py"/>
        <source>Removing…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstQuestionStep</name>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask a first question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>The guide is in your library already. Add a page of your own, or ask right away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>A question about the guide, or about what you added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>The answer appears here, with the exact words of the page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Ask the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Use WebRAG to read https://docs.python.org/3/library/asyncio-task.html: how do I cancel a task?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Then ask your assistant, for example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Copy the example question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/first_question.py"/>
        <source>Nothing in the library answers this. Add the page that should, or ask in other words.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Flags</name>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>1 link that may carry data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} links that may carry data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} (this address)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>1 chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>{} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/flags.py"/>
        <source>Flagged: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GeneralSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>General</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Like the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Light or dark, or what the system uses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>The window changes when WebRAG starts again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Icon in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Closing the window leaves WebRAG running there, and assistants are still served.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Minimise the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Quit WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Closing the window without a tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>What the close button does where there is no tray icon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Notifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Only for what matters: a finished crawl, an assistant that lost its connection, an error.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GraphSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Which pages link to each other, and which names and terms they share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Use the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Assistants can walk from page to page, and searches look at the neighbours of what they found. Off: those tools answer that the graph is switched off. Nothing stored is lost.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <location filename="../../app/desktop/guide.py"/>
        <source>The guide is not in the library any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/guide.py"/>
        <source>It comes back when WebRAG is started again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HitsModel</name>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>by words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>by meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>by links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>found {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source> and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>Place {} of {} in this search.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>By words: words of the question stand in this passage, its title or its headings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>By links: the page is linked with pages that were found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>Relevance {}: how well the passage seems to answer, from 0 to 1, after both ways were compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>Compare it only within one search; it is no percentage of truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>By meaning: it speaks of what the question asks, also in other words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>By meaning: it speaks of what the question asks, also in other words (nearness {}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>{title}, {section}, relevance {score}, {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/hits.py"/>
        <source>Hit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <location filename="../../app/desktop/pages/home.py"/>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home.py"/>
        <source>Answers with quotes that can be checked, for the assistants on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home.py"/>
        <source>Add page</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JobCauses</name>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Page not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Sign-in or payment needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The site does not want programs to read it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The page asks not to be stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>No answer in time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The site asked for patience</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The site has a problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The site cannot be reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The same as another page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Leads away from the site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>The address is blocked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>No readable text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Not a kind of file that can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>No reason given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>All that was not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/job_causes.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JobsModel</name>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} of {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} unchanged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>{} waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Time left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/jobs.py"/>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JobsPane</name>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>No jobs yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Reading a whole site, a folder or a list of bookmarks goes on in the background and is shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Add a site or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>End it; what it has read stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Retry failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Why pages were not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Pages that were not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Every page was read so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Block site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>{} of {} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>{} of {} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>1 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>{} failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>{} a minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>{} left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>took {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/jobs.py"/>
        <source>Every page was read.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LatestCalls</name>
    <message>
        <location filename="../../app/desktop/pages/home_calls.py"/>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_calls.py"/>
        <source>Show all calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_calls.py"/>
        <source>No calls yet. Connect an assistant and ask it something about a web page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_calls.py"/>
        <source>Latest calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_calls.py"/>
        <source>unknown assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_calls.py"/>
        <source>{}  ·  {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Ledger</name>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>d MMM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>1 call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>1 token returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} tokens returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>about {} not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>no calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>{} tokens in {} calls over {} days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>about {} tokens not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>today {} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Tokens of the answers that went to the assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Tokens of the pages behind these answers that the assistant did not have to read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/ledger.py"/>
        <source>Share</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LedgerChart</name>
    <message>
        <location filename="../../app/desktop/pages/ledger_chart.py"/>
        <source>Tokens returned per day</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LedgerPane</name>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Save as CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Saved as {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Calls are not recorded now: what is shown was recorded before. Switch it on under Recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Days shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Week</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>The last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Month</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>The last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Save these numbers as a CSV file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Tokens returned per day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>No calls yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Once an assistant has called, this shows how many tokens it was given on each day, and how many tokens of whole pages it did not have to read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Calls are not recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Switch recording on to see how many tokens assistants are given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Open Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <location filename="../../app/desktop/pages/ledger_legend.py"/>
        <source>Assistants by colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/ledger_legend.py"/>
        <source>Others</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryActions</name>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>These pages are not on the web and cannot be read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Reading again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Reading {} pages again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Page deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} pages deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Citation copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} citations copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Address copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} addresses copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Folder for 1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Folder for {} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Saving 1 page…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Saving {} pages…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Open {} pages at once?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} pages are selected. Open the first {}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>The page was read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} pages were read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>The page was updated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>The page has not changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>, {} changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>, {} could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} pages are read again in the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} pages of the library, again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>1 page saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>{} pages saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_actions.py"/>
        <source>, {} could not be saved</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryFacets</name>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Site or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>New or changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Freshness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Flagged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Web</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Being embedded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Keyword only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>With a remark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>In the last day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>In the last week</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>In the last month</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Since it was cited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Fresh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Addresses the assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Unusual address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library_facets.py"/>
        <source>Single files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryMenu</name>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Open {} pages…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Read {} pages again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Copy citation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Copy {} citations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Copy {} addresses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Save as Markdown…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Save {} pages as Markdown…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Show only {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Block {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Delete all of {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Delete {} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library_menu.py"/>
        <source>Del</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryModel</name>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Keyword only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Embedding {}%</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Web page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>{} of {} chunks are embedded; the others are found by their words only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>{} · changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>{} · stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Read: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Stale: it is read again when an answer needs it, or with F5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Its text is like this since: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Last modified, as the site says: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Last cited: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Its text has changed since it was cited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>In 1 chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>In {} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>Fetched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/library.py"/>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryPage</name>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Filter by title or address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Filter the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Narrow down by site, state, age and more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Stored pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>No page matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>The filter or the choices beside it leave nothing to show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Clear the filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Loading the library…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>The engine is starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>No pages yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Add a page, a site or a folder, or ask a connected assistant a question about a page: what it reads appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>That page is not in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>Filters ({})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>1 chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>{} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>only the newest {} are listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>{} selected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/library.py"/>
        <source>{} of {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>Licences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>What WebRAG is made with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>Reading the licences…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>1 package</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>{} packages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>Find a package or a licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>Packages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/licences.py"/>
        <source>This package brings no text of its licence.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinksView</name>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Links of the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>The text of this page links nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Pages that link here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>No stored page links here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>{} out, {} in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Which links are listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>From here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Links in the text of this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>To here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Stored pages that link to this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Show everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>No stored page is linked with this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Pages that link here, or that are linked from here, appear once they are stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>The graph is switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/document_links.py"/>
        <source>Set GRAPH_ENABLED to true and start WebRAG again to see the pages around this one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LoginRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>Start when you log in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>WebRAG starts in the tray, so that assistants find it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_general.py"/>
        <source>This system has no known way to start programs at login.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/login_row.py"/>
        <source>Start when I log in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/login_row.py"/>
        <source>WebRAG then waits in the tray, so that assistants find it at once.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookList</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_list.py"/>
        <source>Pages to add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_list.py"/>
        <source>read in the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_list.py"/>
        <source>reading…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <location filename="../../app/desktop/__main__.py"/>
        <source>WebRAG runs without a window, because an assistant started it. Stop it and open the window? Assistants reconnect by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Marks</name>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>Reset “{}” to its default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>Back to the default: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>after the restart</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MetadataView</name>
    <message>
        <location filename="../../app/desktop/pages/metadata.py"/>
        <source>Metadata of the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/metadata.py"/>
        <source>Show all in the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/metadata.py"/>
        <source>Copy: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/metadata.py"/>
        <source>Show in text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MissingCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>Not found on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>Looked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>The places that were looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>If it keeps its settings elsewhere, run its own command in a terminal:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>The command to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>Copy the command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_missing.py"/>
        <source>Install {0} and start it once; it appears here by itself. Then WebRAG connects it with one click.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelTestStep</name>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>Does search by meaning work here?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>A small language model came with WebRAG. It finds passages that say the same in other words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>Test again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>Testing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>The model reads three sentences.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>The question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>Two sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>How close in meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>Three sentences read in {} by {}. Nothing left this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>Three sentences read in {} by {}, the embedding server of your settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>It works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/model_test.py"/>
        <source>WebRAG works without it: it then finds passages by their words only, and says so in its answers.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NeighbourView</name>
    <message>
        <location filename="../../app/desktop/pages/neighbour_view.py"/>
        <source>Links here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/neighbour_view.py"/>
        <source>Linked from here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/neighbour_view.py"/>
        <source>Shares terms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/neighbour_view.py"/>
        <source>Neighbours of the page</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Neighbours</name>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Links to this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Linked from this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Links to this page and is linked from it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>Shares terms with this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>1 page links here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>{} pages link here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>links to 1 stored page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>links to {} stored pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>No links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>shares terms with 1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>shares terms with {} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/neighbours.py"/>
        <source>{} more not shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NewestPages</name>
    <message>
        <location filename="../../app/desktop/pages/home_newest.py"/>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_newest.py"/>
        <source>Show all pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_newest.py"/>
        <source>Newest pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_newest.py"/>
        <source>Nothing is stored yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_newest.py"/>
        <source>{}  ·  {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Assistants cannot reach WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>The server is switched off in the settings (MCP_ENABLED). The window works without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Assistants are not served</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Search by meaning is not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Keyword search serves meanwhile. {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Restart the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Secrets are not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} has lost its connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} is connected in one place only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>{} starts another WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>The configuration of {} cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Repair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/notices.py"/>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <location filename="../../app/desktop/notifications.py"/>
        <source>{} messages from WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Offer</name>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>Nothing here can be added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>{} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>1 folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>{} folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>the bookmarks of 1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>the bookmarks of {} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>Add {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>1 file is left out: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>{} files are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>You see what was understood before anything is stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>WebRAG reads web addresses, Markdown, HTML, MHTML, PDF and text files, folders of these, and bookmarks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>There is no web address in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>“{}” is nothing that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/intake/offer.py"/>
        <source>“{}” and others cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OpenLinkDialog</name>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Open a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Do not ask again for {} until WebRAG is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Read the stored page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Address of the link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Your browser will open this address:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Open this link?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_links.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageCard</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_page_card.py"/>
        <source>The preview shows what WebRAG understands of the page. Nothing is stored by it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page_card.py"/>
        <source>Reading {}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page_card.py"/>
        <source>Tokens measure length as assistants count it; chunks are the passages that are found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_page_card.py"/>
        <source>Beginning of the text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageLook</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>1 chunk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>{} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>1 link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>{} links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>In the library already, read {}. Adding replaces that copy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>The text speaks to the assistant: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>The site asks programs not to read this page by themselves. You named it, so it is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_look_words.py"/>
        <source>The address you gave leads here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PagesPanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Add page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>WebRAG reads each page once and keeps it on this computer. Links are not followed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>https:// – several addresses one a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Addresses of pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Storing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>{} pages from {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Add 1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Add {} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Replace copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>Added “{}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_pages.py"/>
        <source>“{}” was in the library already</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Search and commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Find a page, a passage or a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>↑ ↓ to choose   ·   Enter to open   ·   Esc to close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/overlay.py"/>
        <source>Searching passages…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PaletteCommands</name>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Add a page, site or folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>new crawl import file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Resume serving assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Pause serving assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>stop start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Copy the server's address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Address copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Go to {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Settings › {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Open the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>help manual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Show the set-up again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>first run wizard welcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Use light colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Use dark colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>appearance theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/commands.py"/>
        <source>Quit WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PaletteDelegate</name>
    <message>
        <location filename="../../app/desktop/palette/delegate.py"/>
        <source>Opened lately</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/delegate.py"/>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/delegate.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/palette/delegate.py"/>
        <source>Passages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PaletteFinder</name>
    <message>
        <location filename="../../app/desktop/palette/finding.py"/>
        <source>Search all passages for “{}”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <location filename="../../app/desktop/preview_writer.py"/>
        <source>Picture, not stored: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_writer.py"/>
        <source>Picture without a description, not stored</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PreviewPanel</name>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Find in this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Previous place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Shift+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Next place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Close the search in this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Previous passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Next passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Show it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Remove the mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Show what comes before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Show more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Passage {} of {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>The passage is marked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>Not on this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>{} of more than {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>1 place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>{} places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>{} of {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>The page begins {} characters before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/preview_panel.py"/>
        <source>{} of {} characters are shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PrivacySection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Pages, questions and answers stay on this computer, unless you choose hosted embeddings. Web searches go to the provider you choose. Nothing is reported to anyone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Record calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Time, assistant, tool, pages and sizes of every call, for the Activity page. No questions or texts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Erase…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Recorded calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Erases all calls and when pages were cited. Pages stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>What happens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Only warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Only errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Almost nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Log file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>How much the log file tells. Tokens and keys never appear in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Delete everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>The library, log files, keys and settings; you choose which of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Log folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Erase recorded calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Erase all recorded calls? This cannot be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>The recorded calls are erased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_privacy.py"/>
        <source>Deleted. WebRAG starts again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <location filename="../../app/desktop/pages/home_problems.py"/>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProfileChoice</name>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Everything: answers, web, documentation, knowledge base and graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Answers with evidence from the web and from stored pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Looking things up in stored documentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Searching, quoting and walking through what is stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Ask, search, see what is stored; for small local models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>1 tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>{} tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProviderSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Who searches the web for assistants. Questions go to this provider. Its key is set under Secrets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Search provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Moderate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Strict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>SearXNG is a server of your own and needs no key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Google search engine ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>From the control panel of Google's Programmable Search Engine; needed for Google only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>SearXNG address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>May stand in a private network; needed for SearXNG only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>Safe search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>For every provider, unless the assistant asks otherwise.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryBar</name>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Files of this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>What do you want to know?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Questions asked before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Search mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>By words and by meaning, then compared: what assistants use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Only passages that hold the words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Only passages that speak of the same, also in other words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Search only what is from this site or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>In</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search_query.py"/>
        <source>Where to search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecordingDialog</name>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>What is recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Of each call WebRAG keeps the time, the assistant, the tool, the addresses of the pages, how long it took and how many tokens went back. Questions and texts are kept only while diagnostic logging is on, and nothing leaves this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Switched off, calls are still shown while WebRAG runs, but nothing of them is written down: there are no new numbers under Tokens, and answers no longer say what changed since a page was last cited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Erasing removes all calls and numbers recorded so far. Pages and answers are not touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Erase the record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Record calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_recording.py"/>
        <source>Set by the environment variable {}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Remedy</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_remedies.py"/>
        <source>Open the setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_remedies.py"/>
        <source>Open in browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_remedies.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Restore a backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Put this backup in the place of your library?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>The page you have now stays as a copy beside it, so this can be taken back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>The {} pages you have now stay as a copy beside it, so this can be taken back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>The backup is checked first. Then WebRAG's engine restarts; calls under way end with an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Your library now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/restore_backup.py"/>
        <source>Newest page read</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultsCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>Copy as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>Connection test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>The test is under way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>WebRAG starts the entry the way the assistant does, and asks for the tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>1 check failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>{} checks failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>The test was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>One check passed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>All {} checks passed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_results.py"/>
        <source>Results copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScratchActions</name>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Pinned: kept for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>{} passages pinned: kept for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Unpinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>{} passages unpinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Unpinned and forgotten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>{} passages unpinned and forgotten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Passage deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>{} passages deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Save the passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Saved as {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Address copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>{} addresses copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>The page has changed since; the passage is no longer in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_actions.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScratchModel</name>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Pinned: kept for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>{client}, since {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Unknown assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>{} passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Web search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Expired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Kept for good; every assistant on this computer may read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Forgotten at {} unless the assistant reads it before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/scratch.py"/>
        <source>Kept for</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScratchPage</name>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Scratch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Open in the Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Copy the address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Save as a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Del</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Clear this session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Clear all that is not pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Filter by title, address or assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Filter the kept passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>What is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Everything that is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>What is kept for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Kept passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>No passage matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>The engine is starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Nothing is kept yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>When an assistant searches the stored pages or the web, the passages found stay here so that it can read them in full: for {} minutes after their last use, or for good once you pin them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Connect an assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>{} of {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>{} passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>{} pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>{} of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>{} removed for want of room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>none removed for want of room</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch.py"/>
        <source>only the last used {} are listed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScratchPane</name>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Text of the passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Exact text of the passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Exact text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Open in the Library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Save as a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Delete this passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Del</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Copy the address of the passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>No passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Pin: keep for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>No longer kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/scratch_pane.py"/>
        <source>Exact text: the beginning of {} characters</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Ask your stored pages as an assistant would. Nothing is fetched from the web.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Passage copied with its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Open at the passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Copy the passage with its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Search what has been read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Hits show why they were found, and the right side what an assistant would read. Try “How do I connect an assistant?”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Add a page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Hits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>1 hit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>{} hits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>{hits} in {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Nothing that is stored seems to answer this. These passages are the closest; assistants are told so too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>No stored passage holds these words. Try “Both” or “Meaning”, or other words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>No stored passage speaks of this. Try “Both”, or add the page that should answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Try other words, or add the page that should answer this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>You searched in one place only: choose “Everywhere”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/search.py"/>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SecretRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Try {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Asks the provider one question with this key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Set…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Set {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Remove {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Replace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Asking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>The key works.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>New value</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Secrets</name>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>in the keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>this session only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>not set</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SecretsSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Secrets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Kept in the system's keyring, never in a file, and never shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Asking the keyring…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Key of the hosted embeddings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Google search key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Brave search key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Tavily search key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>The environment variable {} can hold it instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>The system's keyring is open and keeps the secrets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>in use</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ServerSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>How assistants reach WebRAG on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Serve assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Off: WebRAG is a library for you alone, and no assistant can reach it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>0 takes any free one. A taken port gives way to the next free one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Connections over HTTP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Off: only assistants that start WebRAG's bridge program themselves are served.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Largest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Texts are cut to this size. A token is about four letters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Answer at the latest after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>An answer that is still reading pages by then comes with what it has found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Time limit of a call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>A call that takes longer is ended with an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Memory for kept passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Passages that tools found are kept for assistants for half an hour; the oldest go first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source> MB</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>Set by the environment variable {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_rows.py"/>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <location filename="../../app/desktop/pages/settings_answers.py"/>
        <source>“{}” is not a web address. It starts with http:// or https://.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Changes are saved at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Find a setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Sections of the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>No setting has these words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Try another word. Rare settings are only in the settings file; About says where it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Show all settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>1 change is used after a restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>{} changes are used after a restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>WebRAG's engine still uses the old values. Calls under way get a moment to finish.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings.py"/>
        <source>Restart now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Find a page, a passage or a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Add a page, site or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Go to a page of the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Filter or ask on this page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Activity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Open the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>This overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Close the window; WebRAG stays in the tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>In lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Choose a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Open it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Delete it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Undo deleting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Read the page again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>In the search box (Ctrl+K)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Next group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Open, at its passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/shortcuts.py"/>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <location filename="../../app/desktop/sidebar.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SiteCard</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>The preview shows which pages would be read, how long that takes, and lets you leave out folders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>Looking at the site…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>At least {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>About {} and {} for {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>{} left out by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>{} closed by robots.txt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>found by {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SitePanel</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Start reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>WebRAG reads the pages one by one at a polite pace, in the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>https:// – the page to start at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Address of the first page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Pages at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Links away from the first page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>Links deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>The pages below {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>The whole site {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>This page, and the pages of {} it links to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>The pages below this address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>The whole site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site.py"/>
        <source>This page and the pages it links to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>site map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>feed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_card.py"/>
        <source>pages in the library</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SiteTree</name>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_tree.py"/>
        <source>Folders of the site</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_tree.py"/>
        <source>(the folder's own page)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_tree.py"/>
        <source>… and {} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_tree.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/dialogs/add_site_tree.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sites</name>
    <message>
        <location filename="../../app/desktop/pages/activity_sites.py"/>
        <source>{} is blocked: it is not read any more after a restart of the engine. Stored pages stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_sites.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StateCard</name>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Address of the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Assistants that speak HTTP connect to this address. The others find WebRAG by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Copy the server's address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Serve assistants again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Assistants get no answers until you resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Ready for your assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Works, without serving assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>What is wrong, and what to do about it, is below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Assistants that ask are told that you paused WebRAG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Loading the model and the library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Answering 1 question now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Answering {} questions now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>1 assistant is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>{} assistants are connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>No assistant is connected now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_state.py"/>
        <source>Address copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StateRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>The engine is starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Until this is mended, searches find words, not meaning. Nothing stored is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>keyword search only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Reads at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>nothing; every passage has its vector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>{} passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>{} threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>on this computer, with {}; nothing leaves it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>on the server {}; passages and questions are sent there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>{} dimensions each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>{} tokens, about {} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>that of the server's model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Status</name>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Paused: assistants are not served</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Answering 1 call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Answering {} calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>1 job in the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>{} jobs in the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Embedding 1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Embedding {} passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status.py"/>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>Paused on {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>Listening on {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>1 job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>{} jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>1 assistant connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>{} assistants connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>Keyword search only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>1 chunk to embed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/status_line.py"/>
        <source>{} chunks to embed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepLine</name>
    <message>
        <location filename="../../app/desktop/wizard/step_line.py"/>
        <source>Step {} of {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepsCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>Getting connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>Close these steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>The entry is written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>{} found WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>Waiting for {}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>It works: {} made its first call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>It used the tool {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>Ask it something, for example: “Use WebRAG to read this page and tell me what it says.”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_steps.py"/>
        <source>Its first question</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StorageBar</name>
    <message>
        <location filename="../../app/desktop/pages/storage_bar.py"/>
        <source>Disk space by kind</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StorageSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Everything is kept in one folder on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Copies the whole library into one file, while it is in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Back up…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Puts a backup in the place of the library. The one you have now is kept beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Restore…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Reads everything and compares it: the file, the index, every passage and vector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Check now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Compact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Gives the room of deleted pages back to the disk. Storing waits meanwhile, searching does not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Writes every page as a Markdown file with its address, in a folder for each site.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Export all…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>What the check found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Copy the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Back up the library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Backups (*.db)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Backed up to {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Copying…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Choose a backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Backups (*.db);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>The sizes of now are still added up. Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Checking the backup…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>1 page is restored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} pages are restored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>The library before is kept as {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Putting the backup in place…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Checking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>All is well. The check took {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>1 problem was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} problems were found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Restore a backup, or make one of what can still be read and report the list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>The list is copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} were won; the library takes {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Writing the library anew…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Export all pages to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Cancelled. Files that were written stay in {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Writing files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Written to {}: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>incomplete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} pages could not be written. The first: {} {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StorageStep</name>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Where your pages are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>All that is read goes into one folder on this computer. Copy it, and you have copied everything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Looking at the disk…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Keep it in another folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>FOLDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>{} used now, {} free on this disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>WebRAG cannot move its folder while it runs. Quit it, move the folder yourself, and start it with the command below; or set the variable WEBRAG_DATA_DIR to the new folder. Connect your assistants after that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/storage.py"/>
        <source>Copy the command</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TestRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Self-test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Makes the vectors of some known texts, compares them and takes the time. About a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Testing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>{:.1f} ms a question, {:.0f} passages a second.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>This model has no reference vectors to compare with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>Its vectors match the reference to {:.1f} % (cosine {:.4f}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>The model is damaged or another one. Install WebRAG again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_embedder.py"/>
        <source>The embedder could not be tested.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tiles</name>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>Web pages and files in the library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>Passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>Pages are cut into passages of a few paragraphs: those are found and quoted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>The length of all text as language models count it; about ¾ of a word each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>On this disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/home_tiles.py"/>
        <source>The size of the file that holds the library.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <location filename="../../app/desktop/toast.py"/>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/toast.py"/>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/toast.py"/>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Copy the access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Replace…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Replace the access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Access token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Assistants that connect over HTTP must send it. Bridges find it by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Token copied. Keep it to yourself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>Assistants connected over HTTP need the new token afterwards. Bridges follow by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_secrets.py"/>
        <source>The server uses a new token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsCard</name>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Change the tools it gets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>All tools: answers, web, documentation, knowledge base and graph.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Tools for answers with evidence from the web and from stored pages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Tools for looking things up in stored documentation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Tools for searching, quoting and walking through what is stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Three tools: ask, search, see what is stored; for small local models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/clients_tools.py"/>
        <source>Tools it gets: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Tools offered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_tools.py"/>
        <source>Fewer tools leave an assistant more room for the conversation. Takes effect at once.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsSection</name>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>What assistants can do with WebRAG. Changes take effect at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>Repair connections by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_server.py"/>
        <source>When another program removes WebRAG from an assistant's configuration, it is put back at once. Off: you are told and decide.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TouchedModel</name>
    <message>
        <location filename="../../app/desktop/models/touched.py"/>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/touched.py"/>
        <source>Passages used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/touched.py"/>
        <source>Whole page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/touched.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/touched.py"/>
        <source>not stored</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrailView</name>
    <message>
        <location filename="../../app/desktop/pages/activity_trail.py"/>
        <source>Pages asked about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_trail.py"/>
        <source>Round {} of at most {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_trail.py"/>
        <source>1 more link looked at, not followed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_trail.py"/>
        <source>{} more links looked at, not followed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/activity_trail.py"/>
        <source>How the answer was found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Trails</name>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>The call ended before it was read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>1 passage used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} passages used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>its link promised {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>its best passage fits {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Enough was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>All rounds of following links that were allowed are used up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>The time for reading more pages was over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>No other link promised more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>More pages brought nothing better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Following links was not asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Only stored pages were searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>Nothing on these pages fits the question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>1 page read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} pages read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>1 used in the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} used in the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>1 could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} could not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>1 still to come</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/trails.py"/>
        <source>{} still to come</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <location filename="../../app/desktop/tray.py"/>
        <source>WebRAG: {}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Open WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Add page from clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Search…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Copy server address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/tray_menu.py"/>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UpdateRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Check now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Open its page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Check for updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>This build names no address to ask. Look at the page where you got WebRAG from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Last check: {}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Nothing is downloaded or installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>Asking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>version {} is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>You have {}. Its page says what is new and how to get it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>up to date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_about.py"/>
        <source>{} is the newest version.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UseRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>What is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Adding up…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>1 page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>{} with {}, {} in all. {} are free on the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Pages, passages and their links</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>What search by meaning compares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Search indexes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Keywords and the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Pinned passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Pinned on the Scratch page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Activity and logs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Recorded calls, jobs and log files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Earlier libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Kept by restores</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Can be won back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_storage.py"/>
        <source>Room of deleted pages; Compact gives it back</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WelcomeStep</name>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Welcome to WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Five short steps. Every one can be left out, and everything can be changed later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Your assistant answers from pages you name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Claude, Cursor and others ask WebRAG, and get the passages that answer, with exact quotes that you can check.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>What it reads stays on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Pages, questions and the model that searches them are all here. There is no account and no key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Only pages are fetched from the internet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/welcome.py"/>
        <source>Those that you or your assistant ask for. Nothing else goes out, and nothing is reported to anyone.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Wizard</name>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Set up WebRAG</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Step {} of {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Skip set-up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Finish</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Skip this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wizard/wizard.py"/>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>1 minute ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{} minutes ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>1 hour ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{} hours ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/wording.py"/>
        <source>{} days ago</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkRow</name>
    <message>
        <location filename="../../app/desktop/pages/settings_work.py"/>
        <source>Progress of: {}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_work.py"/>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_work.py"/>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_work.py"/>
        <source>Cancelled. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <location filename="../../app/desktop/pages/settings_work.py"/>
        <source>Ending…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
