/** Members that contain secrets; their values are never written to the log, even when they are logged by mistake. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'Authorization',
  'cookie',
  'Cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'jwt',
  'access_token',
  'refresh_token',
  'client_secret',
  'accessToken',
  'refreshToken',
  'clientSecret',
  'accessKey',
  'secretKey',
]);

const MASK = '***';

type Fields = Record<string, unknown>;

/**
 * The fields of a line with secrets masked: members of the fields themselves and of the objects in them. The
 * logger's own redaction takes ten times as long, on every line. Errors are not changed here: their
 * serializer masks them. The given objects are not modified.
 */
export function hideSecrets(fields: Fields): Fields {
  let copy: Fields | undefined;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const hidden = SECRET_MEMBERS.has(name) ? MASK : hideMembers(value);
    if (hidden === value) continue;
    copy ??= { ...fields };
    copy[name] = hidden;
  }
  return copy ?? fields;
}

/** The value with its own secret members masked. */
export function hideMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  let copy: Fields | undefined;
  for (const name of Object.keys(value)) {
    if (!SECRET_MEMBERS.has(name)) continue;
    copy ??= { ...value };
    copy[name] = MASK;
  }
  return copy ?? value;
}
