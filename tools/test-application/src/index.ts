/** Starts an application in the process of its tests. */
export type { Captured } from './captures.ts';
export type { StartTestOptions } from './running-application.ts';
export {
  type CapturedEvent,
  type CapturedMail,
  type Duration,
  type NewWebhook,
  type ReceivedEvent,
  startApplication,
  type TestApplication,
  type TriedEvent,
  type TriedJob,
} from './start-application.ts';
export type { RequestParts, TestClient, TestResponse } from './test-client.ts';
export type { NewUser } from './test-users.ts';
export type { WebhookMessage, WebhookReceiver } from './webhook-receiver.ts';
