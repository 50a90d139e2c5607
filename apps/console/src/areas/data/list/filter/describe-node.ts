import { isObject } from '@lintel/react';
import type { Model, Text } from '../../../../context.ts';
import { formatValue } from '../../values/format-value.ts';
import { isRelative, memberEntity, QUANTIFIERS } from './filter-draft.ts';
import { resolveFilterPath } from './filter-path.ts';

interface Words {
  readonly model: Pick<Model, 'captions' | 'entities' | 'enums' | 'rights'>;
  readonly text: Text;
  readonly locale: string;
}

/** A node of a filter in words; names that lead to nothing stay as they are. */
export function describeNode(node: unknown, entityName: string, words: Words): string {
  const { model, text, locale } = words;
  if (!isObject(node)) return JSON.stringify(node);
  const captionOf = (path: unknown): string =>
    resolveFilterPath(model, entityName, String(path))?.caption ?? String(path);
  const describeAll = (caption: string, of = entityName): string => {
    const conditions = Array.isArray(node['conditions']) ? (node['conditions'] as readonly unknown[]) : [];
    const described = conditions.map((each) => describeNode(each, of, words)).join('; ');
    return described === '' ? caption : `${caption} (${described})`;
  };
  if ('group' in node) return describeAll(text(`filter.joined.${String(node['group']).toUpperCase()}`));
  const { property, operator, value } = node;
  const test = operator === undefined ? '' : text(`operator.${String(operator)}`);
  const name = ['count', ...QUANTIFIERS].find((each) => each in node);
  if (name !== undefined) {
    const path = String(node[name]);
    const number = name === 'count' ? ` ${test} ${String(value)}` : '';
    return describeAll(
      `${captionOf(path)}: ${text(`filter.members.${name}`)}${number}`,
      memberEntity(model, entityName, path) ?? '',
    );
  }
  if (Object.hasOwn(node, 'valueOf')) return `${captionOf(property)} ${test} ${captionOf(node['valueOf'])}`;
  if (isRelative(value)) return `${captionOf(property)} ${test} ${describeTime(value, text)}`;
  const found = resolveFilterPath(model, entityName, String(property));
  const shown =
    found === undefined
      ? JSON.stringify(value)
      : formatValue(value, found.attribute, { locale, text, enums: model.enums });
  const levels = 'depth' in node ? text('filter.depth', { count: Number(node['depth']) }) : '';
  return `${captionOf(property)} ${test} ${value === undefined ? '' : shown} ${levels}`.trimEnd();
}

function describeTime({ now, startOf, plus, timeZone }: Readonly<Record<string, unknown>>, text: Text): string {
  const begin = now === undefined ? text(`filter.startOf.${String(startOf)}`) : text('filter.now');
  return [begin, now ?? plus, timeZone].filter((part) => part !== undefined).join(' ');
}
