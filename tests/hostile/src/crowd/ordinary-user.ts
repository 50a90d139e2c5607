import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type HttpClient, type HttpRequest, type Reply } from '../client/send-request.ts';

/** Reports a response: of which kind of work, and what is wrong with it. */
export type OnReply = (kind: string, ms: number, problem: string | undefined) => void;

interface Step {
  readonly kind: string;
  readonly expected: number;
  readonly request: HttpRequest;
  /** Keeps what later steps need. */
  readonly keep?: (reply: Reply) => void;
}

const CUSTOMER = 'c0000000-0000-4000-8000-000000000002';
const get = (path: string): HttpRequest => ({ method: 'GET', path });
const KINDS = ['list', 'list', 'search', 'one', 'one', 'create', 'update', 'update', 'userInfo', 'upload', 'download'];

/** A user who works as people do: one request after the other, with pauses. */
export class OrdinaryUser {
  private readonly client: HttpClient;
  private readonly username: string;
  private readonly onReply: OnReply;
  private token = '';
  private count = 0;
  private order: string | undefined;
  private fileRef: string | undefined;
  private isWorking = true;

  constructor(url: string, username: string, address: string, onReply: OnReply) {
    this.client = createClient(url, address, 2);
    this.username = username;
    this.onReply = onReply;
  }

  /** @throws Error where the user gets no token */
  async logIn(): Promise<void> {
    const { username } = this;
    const reply = await this.client.send({
      method: 'POST',
      path: '/oauth/token',
      headers: {
        authorization: `Basic ${btoa('client:secret')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `grant_type=password&username=${username}&password=secret-of-${username}`,
    });
    if (reply.status !== 200) throw new Error(`${username} cannot log in: ${reply.status} ${reply.text}`);
    this.token = (JSON.parse(reply.text) as { access_token: string }).access_token;
  }

  /** Works until `stop`, with pauses of that many milliseconds. */
  async work([minMs, maxMs]: readonly [min: number, max: number]): Promise<void> {
    while (this.isWorking) {
      await sleep(minMs + Math.random() * (maxMs - minMs));
      const { kind, expected, request, keep } = this.next();
      const headers = { authorization: `Bearer ${this.token}`, ...request.headers };
      const reply = await this.client.send({ ...request, headers });
      const isExpected = reply.status === expected;
      if (isExpected) keep?.(reply);
      this.onReply(kind, reply.ms, isExpected ? undefined : `${kind}: ${reply.status} ${reply.text.slice(0, 160)}`);
    }
    this.client.close();
  }

  stop(): void {
    this.isWorking = false;
  }

  private next(): Step {
    this.count += 1;
    const kind = KINDS[this.count % KINDS.length] ?? 'list';
    switch (kind) {
      case 'search':
        return {
          kind,
          expected: 200,
          request: {
            method: 'POST',
            path: '/rest/entities/sales_Order/search',
            body: {
              filter: { conditions: [{ property: 'customer.name', operator: 'contains', value: 'a' }] },
              fetchPlan: 'order-list',
              limit: 20,
            },
          },
        };
      case 'one':
        return this.order === undefined ? this.create() : { kind, expected: 200, request: get(this.orderPath()) };
      case 'create':
        return this.create();
      case 'update':
        if (this.order === undefined) return this.create();
        return {
          kind,
          expected: 200,
          request: { method: 'PUT', path: this.orderPath(), body: { notes: `note ${this.count}` } },
        };
      case 'userInfo':
        return { kind, expected: 200, request: get('/rest/userInfo') };
      case 'upload':
        return this.upload();
      case 'download':
        if (this.fileRef === undefined) return this.upload();
        return { kind, expected: 200, request: get(`/rest/files?fileRef=${encodeURIComponent(this.fileRef)}`) };
      default:
        return {
          kind: 'list',
          expected: 200,
          request: get('/rest/entities/sales_Order?limit=20&fetchPlan=order-list&sort=-date'),
        };
    }
  }

  private orderPath = (): string => `/rest/entities/sales_Order/${this.order}`;

  private create(): Step {
    return {
      kind: 'create',
      expected: 201,
      request: {
        method: 'POST',
        path: '/rest/entities/sales_Order',
        body: { number: `O-${randomUUID().slice(0, 13)}`, date: '2026-02-03', customer: { id: CUSTOMER } },
      },
      keep: ({ text }) => {
        this.order = (JSON.parse(text) as { id: string }).id;
      },
    };
  }

  private upload(): Step {
    return {
      kind: 'upload',
      expected: 201,
      request: {
        method: 'POST',
        path: '/rest/files?name=note.txt',
        headers: { 'content-type': 'text/plain' },
        body: 'A note. '.repeat(500),
      },
      keep: ({ text }) => {
        this.fileRef = (JSON.parse(text) as { fileRef: string }).fileRef;
      },
    };
  }
}
