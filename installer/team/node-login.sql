-- The user that nodes sign in as, run once by psql when the database is made; its password is in the variable NODE_PASSWORD.
\getenv password NODE_PASSWORD
SELECT 'CREATE ROLE webrag_node NOLOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'webrag_node') \gexec
SELECT format('CREATE ROLE web LOGIN PASSWORD %L', :'password') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'web') \gexec
GRANT webrag_node TO web;
