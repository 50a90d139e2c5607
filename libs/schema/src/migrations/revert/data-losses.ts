import { alterTableLosses } from './alter-table-losses.ts';
import { rowLosses } from './row-losses.ts';
import { type SqlToken, splitStatements } from './split-statements.ts';
import { TokenReader } from './token-reader.ts';

/** How much of a statement that is not known is shown. */
const SHOWN_TOKENS = 4;

/** First words of statements that change no data, but for what other statements inside of them change. */
const KEEPING = new Set(
  'ANALYZE CLUSTER COMMENT CREATE GRANT INSERT LOCK NOTIFY REFRESH REINDEX RESET REVOKE SECURITY SET WITH'.split(' '),
);

/** What can be altered without a change of data, or with one that fails. */
const ALTERABLE = new Set(
  (
    'AGGREGATE COLLATION CONVERSION DEFAULT DOMAIN EVENT FUNCTION GROUP INDEX MATERIALIZED OPERATOR POLICY PROCEDURE ' +
    'PUBLICATION ROLE ROUTINE RULE SCHEMA STATISTICS TEXT TRIGGER USER VIEW'
  ).split(' '),
);

/** What holds no data, and nothing that depends on it does. */
const DROPPABLE = new Set('EVENT INDEX POLICY ROLE GROUP RULE STATISTICS TRIGGER USER'.split(' '));

/** What holds no data, but columns may depend on it: dropping it fails then, with `CASCADE` they go, too. */
const DROPPABLE_ALONE = new Set(
  'AGGREGATE COLLATION CONVERSION DOMAIN FUNCTION MATERIALIZED PROCEDURE ROUTINE TYPE VIEW'.split(' '),
);

/**
 * One sentence for each thing that the statements lose for good, whatever the tables hold. What is not known to
 * keep the data counts as losing some: a block of code, a call, a statement nobody thought of. Bodies of functions
 * that are created are not looked into. Each text may hold several statements. Pure.
 */
export const dataLossesOf = (statements: readonly string[]): readonly string[] =>
  statements.flatMap(splitStatements).flatMap((tokens) => lossesOf(tokens) ?? [notKnown(tokens)]);

const notKnown = (tokens: readonly SqlToken[]): string =>
  `what "${tokens.slice(0, SHOWN_TOKENS).join(' ')}" does to data is not known`;

/** Nothing instead of a list: not known. */
function lossesOf(tokens: readonly SqlToken[]): readonly string[] | undefined {
  const reader = new TokenReader(tokens);
  const first = reader.keyword();
  switch (first) {
    case 'DROP':
      return dropLosses(reader);
    case 'ALTER':
      return alterLosses(reader);
    case 'TRUNCATE':
      reader.takes('TABLE');
      return reader.parts().map((part) => `the rows of ${part.table()} are removed`);
    case 'SELECT':
    case 'TABLE':
    case 'VALUES':
      return callsFunction(tokens) ? undefined : rowLosses(tokens);
    case 'DELETE':
    case 'UPDATE':
    case 'MERGE': {
      const losses = rowLosses(tokens);
      return losses.length === 0 ? undefined : losses;
    }
    default:
      if (!KEEPING.has(first)) return undefined;
      return first === 'CREATE' && makesCode(reader) ? [] : rowLosses(tokens);
  }
}

/** A function may do anything; so may what is called like one. */
const callsFunction = (tokens: readonly SqlToken[]): boolean =>
  tokens.some((token, index) => tokens[index + 1] === '(' && /^[\w"\u0080-\uffff]/.test(token));

/** Whether what is created runs later, if ever. */
function makesCode(reader: TokenReader): boolean {
  reader.takes('OR', 'REPLACE');
  return reader.sees('FUNCTION') || reader.sees('PROCEDURE') || reader.sees('RULE');
}

function dropLosses(reader: TokenReader): readonly string[] | undefined {
  const kind = reader.keyword();
  if (DROPPABLE.has(kind)) return [];
  const cascades = reader.has('CASCADE');
  if (DROPPABLE_ALONE.has(kind) && !cascades) return [];
  const called = kind === 'MATERIALIZED' && reader.takes('VIEW') ? 'materialized view' : kind.toLowerCase();
  reader.takes('IF', 'EXISTS');
  const names = reader.parts().map((part) => part.name());
  if (DROPPABLE_ALONE.has(kind))
    return names.map((name) => `what depends on ${called} ${name} is dropped with it, columns too`);
  if (kind === 'TABLE') return names.map((name) => `${name} is dropped with its rows`);
  if (kind === 'SCHEMA') return cascades ? names.map((name) => `schema ${name} is dropped with all its tables`) : [];
  if (kind === 'SEQUENCE') return names.map((name) => `sequence ${name} is dropped with the number it has reached`);
  return undefined;
}

function alterLosses(reader: TokenReader): readonly string[] | undefined {
  const kind = reader.keyword();
  if (kind === 'TABLE') return alterTableLosses(reader);
  if (ALTERABLE.has(kind)) return [];
  reader.takes('IF', 'EXISTS');
  const name = reader.name();
  if (kind === 'SEQUENCE') return reader.has('RESTART') ? [`sequence ${name} gives numbers anew`] : [];
  if (kind !== 'TYPE') return undefined;
  return reader.parts().some((part) => part.sees('DROP') || part.sees('ALTER'))
    ? [`values of type ${name} lose or change an attribute`]
    : [];
}
