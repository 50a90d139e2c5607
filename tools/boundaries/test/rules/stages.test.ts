import { violationsOf } from '../violations-of.ts';

describe('stages of the compiler', () => {
  const STAGES = ['parse', 'resolve', 'secure', 'plan', 'compile', 'shape'];

  test.each(STAGES)('%s imports no later stage', (stage) => {
    const text = STAGES.map((other) => `import type { X } from '../${other}/x.ts';`).join('\n');
    const later = STAGES.slice(STAGES.indexOf(stage) + 1);
    const sources = { [`libs/query/src/${stage}/a.ts`]: text };
    expect(violationsOf('stage-order', sources)).toEqual(
      later.map((other) => expect.stringContaining(`${stage} imports ../${other}/x.ts of ${other}`)),
    );
  });

  test('what the stages share imports none of them; the index imports all', () => {
    const sources = {
      'libs/query/src/ast/a.ts': "import '../parse/x.ts';\nimport '../json/x.ts';",
      'libs/query/src/access.ts': "import './plan/x.ts';",
      'libs/query/src/index.ts': "export * from './shape/x.ts';",
      'libs/query/src/parse/language/a.ts': "import '../../ast/x.ts';\nimport '../parsed-query.ts';",
    };
    expect(violationsOf('stage-order', sources)).toEqual([
      'libs/query/src/access.ts:1 access.ts imports ./plan/x.ts of plan',
      'libs/query/src/ast/a.ts:1 ast imports ../parse/x.ts of parse',
    ]);
  });

  test('stages of a write import no values of later ones, nor of the operations, which import all', () => {
    const sources = {
      'libs/entities/src/write/merge/a.ts':
        "import { x } from '../save/x.ts';\nimport type { Y } from '../run/y.ts';\nimport { z } from '../graph/z.ts';",
      'libs/entities/src/write/write-entities.ts': "import { x } from './run/x.ts';",
      'libs/entities/src/write/save/b.ts': "import { w } from '../write-entities.ts';",
    };
    expect(violationsOf('stage-order', sources)).toEqual([
      'libs/entities/src/write/merge/a.ts:1 merge imports ../save/x.ts of save',
      'libs/entities/src/write/save/b.ts:1 save imports ../write-entities.ts of write-entities.ts',
    ]);
  });
});

describe('row sources of the planner', () => {
  const ROW_SOURCE = 'libs/query/src/plan/row-source.ts';
  const MAKERS = [
    "import { tableOf } from '@lintel/metadata';",
    'export function openRows() { return new RowSource(); }',
    'export const rejoinByKey = () => new RowSource();',
    'class RowSource {}',
    'export type { RowSource };',
  ].join('\n');

  test('are made by two functions', () => {
    expect(violationsOf('row-sources-restricted', { [ROW_SOURCE]: MAKERS })).toEqual([]);
  });

  test.each([
    ['another function', 'function reach() { return () => new RowSource(); }', 'reach makes a RowSource'],
    ['a method', 'class Reached { open() { return new RowSource(); } }', 'Reached makes a RowSource'],
    ['a variable', 'const [one, two] = [new RowSource(), 2];', 'the module makes a RowSource'],
    ['a subclass', 'class Trusted extends RowSource {}', 'Trusted makes a RowSource'],
  ])('and not by %s', (_what, text, what) => {
    const sources = { [ROW_SOURCE]: `${MAKERS}\n${text}`, 'libs/query/src/plan/joins/plan-joins.ts': text };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      `libs/query/src/plan/joins/plan-joins.ts:1 ${what}`,
      `${ROW_SOURCE}:6 ${what}`,
    ]);
  });

  test('a function of the same name in another file is none of the two', () => {
    const sources = { [ROW_SOURCE]: MAKERS, 'libs/query/src/plan/plan-read.ts': MAKERS.split('\n')[1] ?? '' };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      'libs/query/src/plan/plan-read.ts:1 openRows makes a RowSource',
    ]);
  });

  test('no other file names the table of an entity', () => {
    const text = [
      "import { entityOf, tableOf } from '@lintel/metadata';",
      "import * as metadata from '@lintel/metadata';",
      "import { storageOf } from '@lintel/metadata';",
    ].join('\n');
    const sources = { [ROW_SOURCE]: MAKERS, 'libs/query/src/plan/joins/plan-joins.ts': text };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      'libs/query/src/plan/joins/plan-joins.ts:1 imports tableOf of @lintel/metadata',
      'libs/query/src/plan/joins/plan-joins.ts:2 imports * of @lintel/metadata',
      'libs/query/src/plan/joins/plan-joins.ts:3 imports storageOf of @lintel/metadata',
    ]);
  });

  test('a rename of the functions or of the class changes the rule, too', () => {
    const sources = { [ROW_SOURCE]: MAKERS.replaceAll('RowSource', 'Source') };
    expect(violationsOf('row-sources-restricted', sources)).toEqual([
      `${ROW_SOURCE}:1 has no openRows that makes a RowSource`,
      `${ROW_SOURCE}:1 has no rejoinByKey that makes a RowSource`,
    ]);
  });
});

describe('the visibility that hides nothing', () => {
  const TRUSTED = "import { TRUSTED, type Visibility } from '../secure/visibility.ts';";

  test('has one importer', () => {
    const sources = {
      'libs/query/src/plan/trusted.ts': TRUSTED,
      'libs/query/src/plan/joins/plan-joins.ts': TRUSTED.replace('../', '../../'),
      'libs/query/src/plan/plan-read.ts': "import { type Visibility, visibilityOf } from '../secure/visibility.ts';",
      'libs/query/src/index.ts': "export { TRUSTED as ALL } from './secure/visibility.ts';",
      'libs/query/src/secure/secure-node.ts': "import * as all from './visibility.ts';",
    };
    expect(violationsOf('trusted-in-one-module', sources)).toEqual([
      'libs/query/src/index.ts:1 imports TRUSTED of libs/query/src/secure/visibility.ts',
      'libs/query/src/plan/joins/plan-joins.ts:1 imports TRUSTED of libs/query/src/secure/visibility.ts',
      'libs/query/src/secure/secure-node.ts:1 imports * of libs/query/src/secure/visibility.ts',
    ]);
  });

  test('each function of that importer has one importer, too', () => {
    const sources = {
      'libs/query/src/plan/objects/plan-token.ts': "import { reachAllTargets } from '../trusted.ts';",
      'libs/query/src/plan/objects/plan-name.ts': "import { reachAllTargets } from '../trusted.ts';",
      'libs/query/src/plan/objects/plan-object.ts': "import { planPolicyObject, TRUSTED } from '../trusted.ts';",
      'libs/query/src/index.ts': "export * from './plan/trusted.ts';",
    };
    expect(violationsOf('trusted-in-one-module', sources)).toEqual([
      'libs/query/src/index.ts:1 imports * of libs/query/src/plan/trusted.ts',
      'libs/query/src/plan/objects/plan-name.ts:1 imports reachAllTargets of libs/query/src/plan/trusted.ts',
      'libs/query/src/plan/objects/plan-object.ts:1 imports TRUSTED of libs/query/src/plan/trusted.ts',
    ]);
  });
});

describe('texts of the query language', () => {
  const PARSING = "import { parseRead, type ParsedQuery } from '@lintel/query';";
  const page = (...rows: readonly string[]) =>
    ['# Security', '`services/data/src/a.ts`', '## Texts of the query language', '| Inlet | Parsed in |', ...rows].join(
      '\n',
    );

  test('are parsed by files that docs/security.md lists, and by no others', () => {
    const sources = {
      'docs/security.md': page(
        '| x | `services/data/src/listed.ts`, `services/data/src/gone.ts` |',
        '## Next',
        '| `x.ts` |',
      ),
      'services/data/src/listed.ts': PARSING,
      'services/data/src/a.ts': PARSING,
      'services/data/src/a.test.ts': PARSING,
      'services/data/src/types.ts': "import type { parseRead } from '@lintel/query';",
      'services/data/src/all.ts': "import * as query from '@lintel/query';",
      'libs/security/src/b.ts': "import { parsePolicyCondition, parseSelect } from '@lintel/query';",
      'libs/application/src/c.ts': "export { readRowPolicy as read } from '@lintel/security';",
      'libs/query/src/parse/parse-read.ts': "import { parseFilter } from './parse-filter.ts';",
    };
    expect(violationsOf('query-texts-listed', sources)).toEqual([
      'docs/security.md:5 lists services/data/src/gone.ts, which parses nothing',
      'libs/application/src/c.ts:1 imports readRowPolicy, and docs/security.md does not list it',
      'libs/security/src/b.ts:1 imports parsePolicyCondition, and docs/security.md does not list it',
      'libs/security/src/b.ts:1 imports parseSelect, and docs/security.md does not list it',
      'services/data/src/a.ts:1 imports parseRead, and docs/security.md does not list it',
      'services/data/src/all.ts:1 imports *, and docs/security.md does not list it',
    ]);
  });
});
