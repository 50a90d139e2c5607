import { Lexer } from 'chevrotain';
import { LanguageParser } from './language-parser.ts';
import { TOKENS } from './tokens.ts';

test('the grammar is valid: no rule is ambiguous, none is missing, every token can be reached', () => {
  const lexer = new Lexer(TOKENS, { positionTracking: 'full', deferDefinitionErrorsHandling: true });
  expect(lexer.lexerDefinitionErrors).toEqual([]);
  expect(() => new LanguageParser(false)).not.toThrow();
});
