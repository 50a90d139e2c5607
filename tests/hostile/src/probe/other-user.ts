import { createClient, type HttpClient, type HttpRequest } from '../client/send-request.ts';
import { summarizeLatencies } from './latencies.ts';
import type { OtherUser, ProbeTarget } from './probe-messages.ts';

/** Users log in as well, though not with each request. */
const REQUESTS_PER_LOGIN = 100;
const MAX_OUTSTANDING = 100;
const ADDRESS = '127.0.0.20';

const ORDER = '0d000000-0000-4000-8000-000000000001';
const get = (path: string): HttpRequest => ({ method: 'GET', path });
const REQUESTS: readonly HttpRequest[] = [
  get('/rest/userInfo'),
  get(`/rest/entities/sales_Order/${ORDER}`),
  get('/rest/entities/sales_Order?limit=5&fetchPlan=order-list'),
  {
    method: 'POST',
    path: '/rest/entities/sales_Customer/search',
    body: { filter: { conditions: [{ property: 'name', operator: 'startsWith', value: 'A' }] }, limit: 5 },
  },
  get('/rest/entities/sales_Product?limit=5'),
];

/** A user who sends a light request at each interval, without a wait for the response before. */
export class BackgroundUser {
  private readonly client: HttpClient;
  private readonly target: ProbeTarget;
  private token = '';
  private count = 0;
  private latenciesMs: number[] = [];
  private errors: string[] = [];
  private readonly outstanding = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(target: ProbeTarget) {
    this.target = target;
    this.client = createClient(target.url, ADDRESS, MAX_OUTSTANDING);
  }

  /** @throws Error where the user cannot log in */
  async begin(): Promise<void> {
    if (this.token === '') await this.logIn();
    if (this.token === '') throw new Error(`The other user cannot log in: ${this.errors.join()}`);
    this.latenciesMs = [];
    this.errors = [];
    this.timer = setInterval(() => this.next(), this.target.intervalMs);
  }

  /** Stops, waits for all responses, and returns what was measured. */
  async end(): Promise<OtherUser> {
    clearInterval(this.timer);
    await Promise.all(this.outstanding);
    return { ...summarizeLatencies(this.latenciesMs), errors: this.errors };
  }

  private next(): void {
    if (this.outstanding.size >= MAX_OUTSTANDING) return;
    this.count += 1;
    const request = REQUESTS[this.count % REQUESTS.length];
    const work = this.count % REQUESTS_PER_LOGIN === 0 ? this.logIn() : this.send(request as HttpRequest);
    const settled = work.finally(() => this.outstanding.delete(settled));
    this.outstanding.add(settled);
  }

  private async send(request: HttpRequest): Promise<void> {
    const authorization = `Bearer ${this.token}`;
    const reply = await this.client.send({ ...request, headers: { authorization } });
    this.latenciesMs.push(reply.ms);
    if (reply.status !== 200) this.failed(request, reply.status, reply.text);
    // A process that was started again has lost its sessions; a login is repeated at the next begin.
    if (reply.status === 401) this.token = '';
  }

  private async logIn(): Promise<void> {
    const { user } = this.target;
    const request: HttpRequest = {
      method: 'POST',
      path: '/oauth/token',
      headers: {
        authorization: `Basic ${btoa('client:secret')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `grant_type=password&username=${user}&password=${user}`,
    };
    const reply = await this.client.send(request);
    this.latenciesMs.push(reply.ms);
    if (reply.status === 200) this.token = String((JSON.parse(reply.text) as { access_token: string }).access_token);
    else this.failed(request, reply.status, reply.text);
  }

  private failed({ method, path }: HttpRequest, status: number | string, text: string): void {
    this.errors.push(`${method} ${path.replace(/\?.*/, '')}: ${status} ${text.slice(0, 120)}`);
  }
}
