import type { IToken } from 'chevrotain';
import type { Expression } from '../../ast/expression.ts';
import { ExactNumber } from '../../json/exact-json.ts';
import { parseText } from '../../literals/parse-text.ts';
import { positionOf, syntaxErrorAt } from './position-of.ts';
import { False, Null, Numeral, Temporal, True } from './tokens.ts';

const TEMPORAL = /^\{\s*(d|ts|t)\s*'([^']*)'\s*\}$/i;
const DATATYPES = { d: 'localDate', t: 'localTime', ts: 'localDateTime' } as const;

/** The value of a literal token. */
export function literalOf(token: IToken): Expression {
  const position = positionOf(token);
  switch (token.tokenType) {
    case Numeral:
      return { kind: 'literal', value: new ExactNumber(numberText(token.image)), position };
    case True:
    case False:
      return { kind: 'literal', value: token.tokenType === True, position };
    case Null:
      return { kind: 'null', position };
    case Temporal:
      return temporalOf(token);
    default:
      return { kind: 'literal', value: token.image.slice(1, -1).replaceAll("''", "'"), position };
  }
}

/** As JSON writes numbers: digits before the point, no letter for the type. */
function numberText(image: string): string {
  const digits = image.replace(/[lLfFdD]$/, '').replace(/^0+(?=\d)/, '');
  return digits.startsWith('.') ? `0${digits}` : digits;
}

function temporalOf(token: IToken): Expression {
  const [, letters = '', given = ''] = TEMPORAL.exec(token.image) ?? [];
  const datatype = DATATYPES[letters.toLowerCase() as keyof typeof DATATYPES];
  const text = given.trim().replace(' ', 'T');
  if (parseText({ kind: 'datatype', datatype }, text) === undefined)
    throw syntaxErrorAt(`Expected a ${datatype}, but found '${given}'`, positionOf(token));
  return { kind: 'temporal', datatype, text, position: positionOf(token) };
}
