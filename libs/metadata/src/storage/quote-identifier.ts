import type { Table } from './storage-map.ts';

/** A name as PostgreSQL reads it whatever it contains: `order` → `"order"`. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table with its schema: `"sales"."order"`. */
export const quoteTable = (table: Table): string => `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
