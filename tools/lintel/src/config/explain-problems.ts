/** Values that show the form of the variables that have no default. */
const EXAMPLES: Readonly<Record<string, string>> = {
  SVC_DATASOURCE_URL: 'postgres://lintel:secret@127.0.0.1:5432/lintel',
  SVC_REDIS_URL: 'redis://127.0.0.1:6379/0',
  SVC_BROKER_URLS: 'amqp://guest:guest@127.0.0.1:5672',
  SVC_INTERNAL_SECRET: '$(openssl rand -base64 32)',
  SVC_AUTHSERVER_KEY_ENCRYPTION_SECRET: '$(openssl rand -base64 32)   # keep it: it opens the stored signing keys',
};

const STORAGE = [
  '# Files go to the folder .lintel/files, or to an S3 bucket:',
  'export SVC_FILES_STORAGE_FS_KIND=s3 SVC_FILES_STORAGE_FS_BUCKET=lintel',
  'export SVC_FILES_STORAGE_FS_ENDPOINT_URL=http://127.0.0.1:9000',
  'export SVC_FILES_STORAGE_FS_ACCESS_KEY=key SVC_FILES_STORAGE_FS_SECRET_KEY=secret',
];

/**
 * One message with everything that keeps the services from starting, and an example of what is missing.
 *
 * @param problems as `ConfigurationError` words them
 */
export function explainProblems(problems: readonly string[]): string {
  const lines = ['The services cannot be started:', ...problems.map((problem) => `  ${problem}`)];
  const missing = problems.flatMap((problem) => problem.match(/\((SVC_\w+)\): is required/)?.slice(1, 2) ?? []);
  const examples = missing.filter((name) => EXAMPLES[name] !== undefined);
  if (examples.length === 0) return lines.join('\n');
  return [
    ...lines,
    '',
    'For example:',
    ...examples.map((name) => `  export ${name}=${EXAMPLES[name]}`),
    ...STORAGE.map((line) => `  ${line}`),
    '',
    'docs/guide/deploy.md says more. Without backends of your own: "npm start".',
  ].join('\n');
}
