import type { NodeAddress } from '../declaring/values.ts';
import type { RedisConfig } from './redis-settings.ts';

/** How servers are spoken to that no URL says it of. */
interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/** Where Redis is: the form that `@lintel/cache` takes, met by its shape. */
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

/** Where Redis is, of settings that were judged; undefined where they name none. */
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
 * Where Redis is, of settings that require it.
 *
 * @throws Error where they name none: they were not judged
 */
export function redisAddressOf(config: RedisConfig): RedisAddress {
  const address = findRedisAddress(config);
  if (address === undefined) throw new Error('The settings name no Redis');
  return address;
}
