import { type AskedRedis, askRedis } from './ask-redis.ts';

/**
 * Resolves where a replica is connected and has all that its primary has taken by now.
 *
 * @throws Error where it has not
 */
export async function assertInStep(primary: AskedRedis, replica: AskedRedis): Promise<void> {
  const taken = offsetIn(String(await askRedis(primary, 'INFO', 'replication')), 'master_repl_offset');
  const said = String(await askRedis(replica, 'INFO', 'replication'));
  const isConnected = said.includes('master_link_status:up');
  if (!isConnected || !(offsetIn(said, 'slave_repl_offset') >= taken)) throw new Error('The replica is not in step');
}

const offsetIn = (text: string, member: string): number =>
  Number(new RegExp(`^${member}:(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
