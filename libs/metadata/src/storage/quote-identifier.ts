import type { Table } from './storage-map.ts';

/** Quotes a name for PostgreSQL; the name may contain any characters: `order` → `"order"`. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table with its schema: `"sales"."order"`. */
export const quoteTable = (table: Table): string => `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
