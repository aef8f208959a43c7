-- Login role of the nodes. psql runs this file once, when the database is created; NODE_PASSWORD contains the password.
\getenv password NODE_PASSWORD
SELECT 'CREATE ROLE webrag_node NOLOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'webrag_node') \gexec
SELECT format('CREATE ROLE web LOGIN PASSWORD %L', :'password') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'web') \gexec
GRANT webrag_node TO web;
