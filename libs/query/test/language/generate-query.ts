import { fc } from '@lintel/testkit/properties';

/** A query of the entity query language over the test model, with its parameters. */
export interface GeneratedQuery {
  readonly entity: string;
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly given: Readonly<Record<string, unknown>>;
}

const PARAMETERS = { name: 'string', number: 'decimal', day: 'localDate', moment: 'localDateTime', ids: 'uuid[]' };
const GIVEN = {
  name: "R'e%x",
  number: '1.5',
  day: '2026-01-01',
  moment: '2026-01-01T10:00:00',
  ids: ['00000000-0000-4000-8000-000000000011'],
};

const pick = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

/** A text of parts; generators give their own texts. */
const text = (parts: readonly string[], ...holes: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...holes).map((values) => parts.map((part, at) => `${part}${values[at] ?? ''}`).join(''));

const t = (parts: TemplateStringsArray, ...holes: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  text(parts, ...holes);

/** Expressions and conditions over the variables `p` (t_Pet) and, in subqueries, `q` (t_Pet) and `v` (t_Visit). */
const grammar = fc.letrec<Record<'number' | 'words' | 'moment' | 'test' | 'subquery', string>>((tie) => {
  const number = tie('number');
  const words = tie('words');
  const moment = tie('moment');
  const test = tie('test');
  return {
    number: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      pick(
        'p.age',
        'p.weight',
        'p.ratio',
        'p.serial',
        'p.owner.salary',
        '1',
        '2.5',
        '1e2',
        '-3',
        ':number',
        '10000000000000000000',
      ),
      t`(${number} ${pick('+', '-', '*', '/')} ${number})`,
      t`-${pick('p.age', 'p.weight', 'p.ratio')}`,
      t`${pick('abs', 'round', 'floor', 'ceiling', 'sqrt')}(${number})`,
      t`mod(${number}, ${number})`,
      t`round(${number}, ${pick('0', '2', '-1')})`,
      t`length(${words})`,
      t`locate(${words}, ${words}, ${pick('1', 'p.age', '-5')})`,
      t`size(p.${pick('tags', 'visits')})`,
      t`${pick('year', 'month', 'day', 'hour', 'week', 'quarter')}(${moment})`,
      t`coalesce(${number}, ${number})`,
      t`nullif(${number}, ${number})`,
      t`case when ${test} then ${number} else ${number} end`,
      t`case p.color when 'RED' then ${number} end`,
      t`(select ${pick('count(v)', 'sum(v.cost)', 'max(v.cost)', 'avg(v.cost)')} from t_Visit v where v.pet = p)`,
    ),
    words: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      pick(
        'p.name',
        'p.owner.name',
        'p.owner.address.city',
        'p.createdBy',
        "'x'",
        "'it''s'",
        ':name',
        ':current_user_name',
      ),
      t`${pick('lower', 'upper', 'trim')}(${words})`,
      t`concat(${words}, ${number}, ${words})`,
      t`(${words} || ${words})`,
      t`substring(${words}, ${number}, ${number})`,
      t`replace(${words}, ${words}, 'y')`,
      t`trim(${pick('both', 'leading', 'trailing')} 'x' from ${words})`,
      t`case when ${test} then ${words} end`,
    ),
    moment: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      pick(
        'p.born',
        'p.seenAt',
        'p.chippedAt',
        'p.createdDate',
        ':day',
        ':moment',
        'current_date',
        'current_timestamp',
      ),
      pick("{d '2026-01-01'}", "{ts '2026-01-01 10:00:00.5'}"),
      t`coalesce(${moment}, p.seenAt)`,
    ),
    test: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      t`${number} ${pick('=', '<>', '<', '<=', '>', '>=', '!=')} ${number}`,
      t`${words} ${pick('=', '<>', '<', '>')} ${words}`,
      t`${moment} ${pick('=', '<', '>=')} ${moment}`,
      t`${words} ${pick('', 'not ')}like ${words}${pick('', " escape '!'")}`,
      t`${number} ${pick('', 'not ')}between ${number} and ${number}`,
      t`${words} ${pick('', 'not ')}in (${words}, ${words})`,
      t`p.id ${pick('', 'not ')}in :ids`,
      t`p.${pick('color', 'owner', 'owner.address', 'passport', 'name', 'feedAt')} is ${pick('', 'not ')}null`,
      t`${number} is ${pick('', 'not ')}null`,
      t`p.${pick('tags', 'visits')} is ${pick('', 'not ')}empty`,
      t`${words} ${pick('', 'not ')}member of p.owner.nicknames`,
      t`not ${test}`,
      t`(${test} ${pick('and', 'or')} ${test})`,
      t`${pick('', 'not ')}exists (${tie('subquery')})`,
      t`p.id in (select w.pet.id from t_Visit w where w.cost > ${number})`,
      t`${number} ${pick('>', '=', '<=')} ${pick('all', 'any', 'some')} (select w.cost from t_Visit w)`,
      t`p ${pick('=', '<>')} (select w.pet from t_Visit w where w.id = ${pick('1', '2', '9')})`,
      t`p.color ${pick('=', '<>')} ${pick("'RED'", 't.Color.GREEN', "'r'", '@enum(t.Color.RED)')}`,
      t`p.alive = ${pick('true', 'false')}`,
      t`${pick('@today', '@isNull')}(p.seenAt)`,
      t`@between(${pick('p.seenAt', 'p.born', 'p.chippedAt')}, now-${pick('1', '30')}, now+1, ${pick('day', 'month', 'hour', 'year')}${pick('', ', user_timezone')})`,
      t`${pick('@dateBefore', '@dateAfter', '@dateEquals')}(${pick('p.seenAt', 'p.born', 'p.chippedAt')}, ${pick(':day', ':moment', 'now', 'now+3')})`,
      t`exists (select s from t_Visit s where type(s.staff) = t_Vet and treat(s.staff as t_Vet).licence = ${words})`,
    ),
    subquery: fc.oneof(
      t`select 1 from p.visits v where v.cost > ${number}`,
      t`select q from t_Pet q left join q.owner o where q.owner = p.owner and ${test}`,
      t`select count(v) from t_Visit v where v.pet = p having count(v) > ${pick('1', '2')}`,
    ),
  };
});

const joins = pick(
  '',
  ' join p.owner o',
  ' left join p.visits z',
  ' left join p.tags y on y.label = p.name',
  ' left join fetch p.owner',
  ' join t_Owner x on x.name = p.name',
);
const order = fc.oneof(
  fc.constant(''),
  t` order by ${grammar.number}${pick('', ' desc', ' asc nulls last', ' desc nulls first')}`,
  t` order by ${grammar.words}, p.name`,
);
const where = fc.oneof(fc.constant(''), t` where ${grammar.test}`, t` where ${grammar.test} and ${grammar.test}`);
const aggregate = t`${pick('count', 'sum', 'avg', 'min', 'max')}(${pick('', 'distinct ')}${grammar.number})`;

const texts = fc.oneof(
  t`select p from t_Pet p${joins}${where}${order}`,
  t`select distinct p from t_Pet p${joins}${where}${order}`,
  t`select p from t_Pet p${joins}${where} group by p having ${aggregate} > ${grammar.number}${order}`,
  t`select ${grammar.number} as a, ${grammar.words} as b, ${grammar.moment} as c from t_Pet p${joins}${where}${order}`,
  t`select distinct ${grammar.words} as a, p.color from t_Pet p${where} order by a`,
  fc
    .tuple(
      pick('lower(p.name)', "concat(p.name, 'x')", 'p.owner.address.city', "coalesce(p.name, ':')", 'p.alive'),
      aggregate,
      where,
    )
    .map(
      ([key, value, filter]) =>
        `select ${key} as a, ${value} as b, count(*) as c from t_Pet p${filter} group by ${key}`,
    ),
  t`select p.color, ${aggregate} as b from t_Pet p${where} group by p.color having ${aggregate} <> ${aggregate} order by b`,
  t`select p.owner.name as a, ${aggregate} as b from t_Pet p${where} group by p.owner having ${aggregate} > 1 or p.owner.name is null`,
  t`select ${aggregate} as a, count(p) as b from t_Pet p${joins}${where}`,
);

/** Queries that are mostly right, and now and then use what is not there. */
export const generatedQuery: fc.Arbitrary<GeneratedQuery> = texts.map((generated) => {
  const used = (name: string): boolean => new RegExp(`:${name}\\b`).test(generated);
  const only = <T>(members: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(members).filter(([name]) => used(name)));
  return { entity: 't_Pet', text: generated, parameters: only(PARAMETERS), given: only(GIVEN) };
});
