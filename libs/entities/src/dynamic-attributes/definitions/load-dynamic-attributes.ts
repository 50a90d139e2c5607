import { type DynamicAttribute, type DynamicAttributeType, quoteTable, tableOf } from '@lintel/metadata';
import type { StatementRunner } from '@lintel/persistence';

interface DefinitionRow {
  readonly id: string;
  readonly code: string;
  readonly entity: string;
  readonly category: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: DynamicAttributeType;
  readonly collection: boolean | null;
  readonly required: boolean | null;
  readonly target: string | null;
  readonly values: string | null;
  readonly locale_names: string | null;
  readonly locale_descriptions: string | null;
}

const TEXT = `SELECT a.id, a.code, c.entity_type AS entity, c.name AS category, a.name, a.description,
  a.data_type AS type, a.is_collection AS collection, a.required, a.entity_class AS target,
  a.enumeration AS values, a.locale_names, a.locale_descriptions
FROM ${quoteTable(tableOf({ name: 'dynat_CategoryAttribute' }))} a
JOIN ${quoteTable(tableOf({ name: 'dynat_Category' }))} c ON c.id = a.category_id
WHERE a.deleted_date IS NULL AND c.deleted_date IS NULL
ORDER BY c.name, c.id, a.order_no, a.code`;

/** All definitions that are not deleted, in the order in which clients show them. */
export async function loadDynamicAttributes(runner: StatementRunner): Promise<readonly DynamicAttribute[]> {
  const rows = await runner.query<DefinitionRow>({ text: TEXT, values: [] });
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    entity: row.entity,
    category: row.category,
    name: row.name,
    description: row.description ?? undefined,
    type: row.type,
    collection: row.collection ?? false,
    required: row.required ?? false,
    target: row.type === 'ENTITY' ? (row.target ?? undefined) : undefined,
    values: (row.values ?? '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== ''),
    localizedNames: localizedTexts(row.locale_names),
    localizedDescriptions: localizedTexts(row.locale_descriptions),
  }));
}

/**
 * Texts by locale from the lines of a definition: `de=Kundennummer` or `de/name=Kundennummer`. Lines of
 * another form are comments.
 */
export function localizedTexts(lines: string | null): Readonly<Record<string, string>> {
  const texts = (lines ?? '').split(/\r?\n/).flatMap((line) => {
    const match = /^\s*([A-Za-z]{2,3}(?:[_-]\w+)*)(?:\/[^=]*)?\s*=\s*(.*?)\s*$/.exec(line);
    const [, locale, text] = match ?? [];
    return locale === undefined || text === undefined || text === '' ? [] : [[locale.replaceAll('-', '_'), text]];
  });
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}
