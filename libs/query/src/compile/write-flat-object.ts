import type { Datatype } from '@lintel/metadata';
import type { MemberPlan, ValuePlan } from '../plan/read-plan.ts';
import { quoteConstant, type StatementText } from './statement-text.ts';
import { writeColumn } from './write-condition.ts';
import { writeEnum, writeValue } from './write-value.ts';

/** More would make the statement so long that connections do not keep it prepared. */
const MAX_MEMBERS = 150;

/** PostgreSQL's functions have at most 100 arguments. */
const MAX_ARGUMENTS = 100;

/** Datatypes of which SQL makes a text that has nothing to escape, whatever the type of the column. */
const PLAIN_TEXTS: ReadonlySet<Datatype> = new Set(['dateTime', 'localDateTime', 'offsetDateTime', 'byteArray']);

/** Whether `writeFlatObject` can write the object: each member is one text or number, and the first one is constant. */
export const isFlatObject = ([first, ...others]: readonly MemberPlan[]): boolean =>
  first?.value.kind === 'constant' && others.length < MAX_MEMBERS && others.every(({ value }) => isFlat(value));

function isFlat(value: ValuePlan): boolean {
  switch (value.kind) {
    case 'constant':
    case 'computed':
      return true;
    case 'name':
      return value.recipe === undefined;
    case 'column':
      // A JSON value may contain members that are null.
      return value.format.kind !== 'datatype' || value.format.datatype !== 'json';
    default:
      return false;
  }
}

/**
 * An expression for the JSON text of a flat object without the members that are null: the text that `withoutNulls`
 * makes of `row_to_json`. It takes less time, since `row_to_json` builds a row first, and looks up the output function
 * of each of its values.
 */
export function writeFlatObject(members: readonly MemberPlan[], statement: StatementText): string {
  const parts = members.flatMap((member, at) => writeMember(member, at === 0 ? '{' : ',', statement));
  return concatenated([...parts, "'}'"]);
}

/** `concat` ignores arguments that are null. */
function concatenated(parts: readonly string[]): string {
  if (parts.length <= MAX_ARGUMENTS) return `concat(${parts.join(', ')})`;
  const groups: string[] = [];
  for (let from = 0; from < parts.length; from += MAX_ARGUMENTS)
    groups.push(concatenated(parts.slice(from, from + MAX_ARGUMENTS)));
  return concatenated(groups);
}

/** The parts of the text for a member; null where its value is null. */
function writeMember({ name, value }: MemberPlan, before: string, statement: StatementText): readonly string[] {
  const start = `${before}${JSON.stringify(name)}:`;
  if (value.kind === 'constant') return [quoteConstant(`${start}${JSON.stringify(value.text)}`)];
  if (value.kind === 'computed') return [];
  if (value.kind === 'column' && value.format.kind === 'enum')
    return [writeEnum(writeColumn(value.column), value.format.enumeration, (one) => `${start}${JSON.stringify(one)}`)];
  const written = writeValue(value, statement);
  if (value.kind === 'column' && value.format.kind === 'datatype' && PLAIN_TEXTS.has(value.format.datatype))
    return [`${quoteConstant(`${start}"`)} || ${written} || '"'`];
  // An expression may be null although its columns are not, and is not evaluated twice.
  if (value.kind !== 'column' || written !== writeColumn(value.column))
    return [`${quoteConstant(start)} || to_json(${written})::text`];
  return [`CASE WHEN ${written} IS NOT NULL THEN ${quoteConstant(start)} END`, `to_json(${written})`];
}
