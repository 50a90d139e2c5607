/** Host and port of a server or sentinel. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** A login of servers whose addresses are no URLs. */
export interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/** A primary that sentinels name, and another one after a fail-over. */
export interface RedisSentinels extends RedisLogin {
  /** Name of the primary. */
  readonly master: string;
  readonly nodes: readonly RedisNode[];
  readonly database: number;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

/** A cluster, by some of its nodes. */
export interface RedisCluster extends RedisLogin {
  readonly nodes: readonly RedisNode[];
}

/** The address of Redis. A URL is `redis://user:password@host:port/db` or `rediss://…`. */
export type RedisAddress =
  | { readonly url: string }
  | { readonly sentinel: RedisSentinels }
  | { readonly cluster: RedisCluster };
