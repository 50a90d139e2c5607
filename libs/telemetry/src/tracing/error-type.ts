const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The SQLSTATE of an error of the database, which may be the cause of the error given; undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 3; each = each.cause, depth += 1)
    if ('code' in each && typeof each.code === 'string' && SQLSTATE.test(each.code) && 'severity' in each)
      return each.code;
  return undefined;
}

/** The value of `error.type`: the code of an error or its name, never its message, which contains data of clients. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
