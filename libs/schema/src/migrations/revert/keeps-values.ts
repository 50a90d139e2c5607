export const isText = (type: string): boolean => /^(character varying|text|character)\b/.test(type);

/** Texts are one type here, with a length or without one. */
export const baseOf = (type: string): string => type.replace(/\(.*\)/, '').replace(/^text$/, 'character varying');

const INTEGERS = ['smallint', 'integer', 'bigint'];

/** Types to which every value is cast exactly, or the cast fails. */
const EXACT = /^(character varying|text|uuid$)/;

const limitsOf = (type: string): readonly number[] =>
  (/\((.*)\)/.exec(type)?.[1] ?? '').split(',').filter(Boolean).map(Number);

/** Whether a change of a type keeps every value, or fails. Others may round values or cut them off. */
export function keepsValues(from: string, to: string): boolean {
  if (EXACT.test(to)) return true;
  if (INTEGERS.includes(from)) return INTEGERS.includes(to) || (to.startsWith('numeric') && !to.includes(',-'));
  if (baseOf(from) !== baseOf(to)) return false;
  const [old, limits] = [limitsOf(from), limitsOf(to)];
  if (from === to || limits.length === 0) return true;
  // The digits after the point, which `numeric(10)` lacks, or of a fraction of a second; too many digits before the
  // point are refused.
  const last = Math.max(old.length, limits.length) - 1;
  return old.length > 0 && (old[last] ?? 0) <= (limits[last] ?? 0);
}

const NAME = '"(?:[^"]|"")+"';

/** An expression for a form of statements that are generated; `@` is the name of an object. */
export const formOf = (form: string): RegExp => new RegExp(form.replaceAll('@', String.raw`(${NAME}(?:\.${NAME})?)`));

/** One action of one statement: a comma or a semicolon outside of the limits of a type would begin another one. */
const RETYPE = formOf(
  String.raw`^ALTER TABLE @ ALTER COLUMN @ TYPE ((?:[^;,()]|\([\d,-]+\))+?)(?: COLLATE [^\s;,]+)?(?: USING \2::(.+))?$`,
);

/**
 * Whether a statement changes the type of a column in the form that is generated, and every value is kept or the change
 * fails. The statements that undo it name the former type.
 */
export function isKeepingRetype(statement: string, undo: readonly string[]): boolean {
  const [, table, column, type = '', cast = type] = RETYPE.exec(statement) ?? [];
  const [former, ...others] = undo
    .map((each) => RETYPE.exec(each))
    .filter((each) => each?.[1] === table && each?.[2] === column);
  if (column === undefined || former?.[3] === undefined || others.length > 0) return false;
  return cast === (isText(type) && cast !== type ? 'text' : type) && keepsValues(former[3], type);
}
