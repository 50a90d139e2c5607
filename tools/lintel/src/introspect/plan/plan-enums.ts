import type { FoundColumn, FoundConstraint, FoundTable } from '@lintel/schema';
import type { EnumPlan } from './model-plan.ts';
import { constantCase, freeName, pascalCase } from './names.ts';

/** The enums of a model, made as columns ask for them. */
export class EnumPlans {
  readonly #prefix: string;
  readonly #taken: Set<string>;
  readonly #byType = new Map<string, EnumPlan>();
  readonly #plans: EnumPlan[] = [];

  /** @param taken names of constants that are used already */
  constructor(prefix: string, taken: Set<string>) {
    this.#prefix = prefix;
    this.#taken = taken;
  }

  /** In the order of their first use. */
  get plans(): readonly EnumPlan[] {
    return this.#plans;
  }

  /** The enum of a type of PostgreSQL, which columns share. */
  ofType(type: string, labels: readonly string[]): EnumPlan {
    const known = this.#byType.get(type);
    if (known !== undefined) return known;
    const plan = this.#make(pascalCase(type.slice(type.indexOf('.') + 1)), labels);
    this.#byType.set(type, plan);
    return plan;
  }

  /** The enum of a column that a check limits to some values. */
  ofCheck(entity: string, attribute: string, values: readonly (string | number)[]): EnumPlan {
    return this.#make(`${entity}${pascalCase(attribute)}`, values);
  }

  #make(wanted: string, ids: readonly (string | number)[]): EnumPlan {
    const constant = freeName(this.#taken, wanted, `${wanted}Enum`);
    const names = new Set<string>();
    const values = ids.map((id) => {
      const name = typeof id === 'number' ? `VALUE_${String(id).replace('-', 'MINUS_')}` : constantCase(id);
      return [freeName(names, name), id] as const;
    });
    const plan = { name: `${this.#prefix}.${constant}`, constant, values };
    this.#plans.push(plan);
    return plan;
  }
}

const TEXT = /^(text|character( varying)?(\(\d+\))?)$/;
const LITERAL = /\s*(?:'((?:[^']|'')*)'(?:::[a-z ]+(?:\(\d+\))?)?|\(?'?(-?\d+)'?\)?(?:::[a-z ]+)?)\s*(?:,|$)/y;

/** The values that a check of the table limits the column to, and that check. */
export function checkedValues(
  table: FoundTable,
  column: FoundColumn,
): { readonly check: FoundConstraint; readonly values: readonly (string | number)[] } | undefined {
  const isText = TEXT.test(column.type);
  if (!isText && column.type !== 'integer' && column.type !== 'smallint') return undefined;
  for (const check of table.checks) {
    if (check.columns.length !== 1 || check.columns[0] !== column.name) continue;
    const [, list] =
      /^CHECK \(\(+(?:"[^"]+"|\w+)\)?(?:::text)? = ANY \(+ARRAY\[(.*?)\]\)?(?:::[a-z ]+\[\])?\)+$/s.exec(
        check.definition,
      ) ?? [];
    const values = list === undefined ? undefined : literalsOf(list, isText);
    if (values !== undefined && new Set(values).size === values.length) return { check, values };
  }
  return undefined;
}

function literalsOf(list: string, isText: boolean): readonly (string | number)[] | undefined {
  const values: (string | number)[] = [];
  LITERAL.lastIndex = 0;
  while (LITERAL.lastIndex < list.length) {
    const [, text, number] = LITERAL.exec(list) ?? [];
    if (isText ? text === undefined : number === undefined && !/^-?\d+$/.test(text ?? '')) return undefined;
    values.push(isText ? (text ?? '').replaceAll("''", "'") : Number(number ?? text));
  }
  return values;
}
