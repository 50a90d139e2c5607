import { randomBytes } from 'node:crypto';
import { createIdSource } from '@lintel/entities';
import sales from '@lintel/example-sales';
import { Pool, types } from 'pg';
import { OBJECT_STATEMENTS } from '../yardsticks/object-statements.ts';
import { createOrderStore, type OrderStore } from '../yardsticks/order-store.ts';
import { readStatements } from '../yardsticks/read-statements.ts';
import type { ServerSettings } from './server-settings.ts';

/** The orders of the yardsticks, over a pool with the session settings of the platform. */
export function openOrderStore({ databaseUrl, poolSize, json, locks }: ServerSettings): OrderStore {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: poolSize,
    options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c jit=off',
    statement_timeout: 30_000,
    types,
  });
  return createOrderStore(
    pool,
    json === 'row' ? readStatements(sales) : OBJECT_STATEMENTS,
    createIdSource({ now: () => Date.now() }, randomBytes),
    locks,
  );
}
