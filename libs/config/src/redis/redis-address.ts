import type { NodeAddress } from '../declaring/values.ts';
import type { RedisConfig } from './redis-settings.ts';

/** Login and TLS of servers that are not given by a URL. */
interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/** The address of Redis. It has the structure of the type in `@lintel/cache`, which is not imported here. */
export type RedisAddress =
  | { readonly url: string }
  | {
      readonly sentinel: RedisLogin & {
        readonly master: string;
        readonly nodes: readonly NodeAddress[];
        readonly database: number;
        readonly sentinelUsername?: string;
        readonly sentinelPassword?: string;
      };
    }
  | { readonly cluster: RedisLogin & { readonly nodes: readonly NodeAddress[] } };

/** The address of Redis in validated settings; undefined if they contain none. */
export function findRedisAddress({ url, sentinel, cluster, ...rest }: RedisConfig): RedisAddress | undefined {
  const login = {
    ...(rest.username !== undefined && { username: rest.username }),
    ...(rest.password !== undefined && { password: rest.password }),
    tls: rest.tls ?? false,
  };
  if (url !== undefined) return { url };
  if (cluster.nodes !== undefined) return { cluster: { ...login, nodes: cluster.nodes } };
  const { master, nodes, username, password } = sentinel;
  if (master === undefined || nodes === undefined) return undefined;
  return {
    sentinel: {
      ...login,
      master,
      nodes,
      database: rest.database ?? 0,
      ...(username !== undefined && { sentinelUsername: username }),
      ...(password !== undefined && { sentinelPassword: password }),
    },
  };
}

/**
 * The address of Redis in settings that require one.
 *
 * @throws Error if they contain none: they were not validated
 */
export function redisAddressOf(config: RedisConfig): RedisAddress {
  const address = findRedisAddress(config);
  if (address === undefined) throw new Error('The settings name no Redis');
  return address;
}
