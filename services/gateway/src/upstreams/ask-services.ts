import type { ReplicaReadiness } from './read-readiness.ts';
import type { Upstream } from './upstream.ts';

export interface ServiceHealth {
  /** `degraded`: some replicas are not ready; `unavailable`: none is. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly replicas: readonly ReplicaReadiness[];
}

/** The state of the whole system. */
export interface ServicesHealth {
  /** `ready` while every service has a replica that is. */
  readonly status: 'ready' | 'not ready';
  readonly services: Readonly<Record<string, ServiceHealth>>;
}

/** Asks all replicas of all services, at once. Never rejects. */
export async function askServices(
  upstreams: Readonly<Record<string, Pick<Upstream, 'askAll'>>>,
): Promise<ServicesHealth> {
  const asked = Object.entries(upstreams).map(
    async ([name, upstream]) => [name, healthOf(await upstream.askAll())] as const,
  );
  const services = Object.fromEntries(await Promise.all(asked));
  const isReady = Object.values(services).every(({ status }) => status !== 'unavailable');
  return { status: isReady ? 'ready' : 'not ready', services };
}

function healthOf(replicas: readonly ReplicaReadiness[]): ServiceHealth {
  const ready = replicas.filter(({ status }) => status === 'ready').length;
  const status = ready === 0 ? 'unavailable' : ready < replicas.length ? 'degraded' : 'ready';
  return { status, replicas };
}
