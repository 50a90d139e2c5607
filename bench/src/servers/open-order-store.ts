import { randomBytes } from 'node:crypto';
import { createIdSource } from '@lintel/data';
import sales from '@lintel/example-sales';
import { Pool, types } from 'pg';
import { createOrderStore, type OrderStore } from '../yardsticks/order-store.ts';
import { readStatements } from '../yardsticks/read-statements.ts';
import { POOL_SIZE } from './server-settings.ts';

/** The orders of the yardsticks, over a pool with the session settings of the platform. */
export function openOrderStore(databaseUrl: string): OrderStore {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c jit=off',
    statement_timeout: 30_000,
    types,
  });
  return createOrderStore(pool, readStatements(sales), createIdSource({ now: () => Date.now() }, randomBytes));
}
