-- Run by the image of PostgreSQL, as its administrator, when it makes the database: a login for each service, with
-- the rights that it needs and no more. `lintel_owner` owns the database; data and the migrations are it.
\set owner_password `cat /run/secrets/postgres-owner-password`
\set auth_password `cat /run/secrets/postgres-auth-password`
\set files_password `cat /run/secrets/postgres-files-password`
\set reports_password `cat /run/secrets/postgres-reports-password`
\set report_data_password `cat /run/secrets/postgres-report-data-password`

-- Groups, to which the migrations give rights: users, roles and texts; users of identity providers; runs of reports;
-- SQL of reports.
CREATE ROLE lintel_sec_reader NOLOGIN;
CREATE ROLE lintel_federation NOLOGIN;
CREATE ROLE lintel_report_runner NOLOGIN;
CREATE ROLE lintel_report_reader NOLOGIN;

CREATE ROLE lintel_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE lintel_auth LOGIN PASSWORD :'auth_password' IN ROLE lintel_sec_reader, lintel_federation;
CREATE ROLE lintel_files LOGIN PASSWORD :'files_password' IN ROLE lintel_sec_reader;
CREATE ROLE lintel_reports LOGIN PASSWORD :'reports_password' IN ROLE lintel_sec_reader, lintel_report_runner;
-- Of the data service, for SQL data sets alone.
CREATE ROLE lintel_report_data LOGIN PASSWORD :'report_data_password' IN ROLE lintel_report_reader;

ALTER DATABASE lintel OWNER TO lintel_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE lintel FROM PUBLIC;
GRANT CONNECT ON DATABASE lintel TO lintel_sec_reader, lintel_report_reader;

-- Auth keeps its own tables, which the migrations make.
CREATE SCHEMA auth AUTHORIZATION lintel_owner;
GRANT USAGE ON SCHEMA auth TO lintel_auth;
ALTER DEFAULT PRIVILEGES FOR ROLE lintel_owner IN SCHEMA auth GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO lintel_auth;
ALTER DEFAULT PRIVILEGES FOR ROLE lintel_owner IN SCHEMA auth GRANT USAGE ON SEQUENCES TO lintel_auth;
