import type { FeatureFactory } from '../feature.ts';
import { registerWebhookTestsRoutes } from './webhook-tests.routes.ts';

/** The deliveries of webhooks and test messages; the engine has their listeners. */
export const webhooksFeature: FeatureFactory = ({ config, webhooks, accessOf, read }) => ({
  register: ({ rest }) =>
    registerWebhookTestsRoutes(rest, {
      path: config.paths.operationsPath,
      accessOf,
      read,
      sendTestMessage: webhooks.sendTestMessage,
    }),
  caches: [webhooks.cache],
  start: () => webhooks.start(),
  async follow(bus) {
    if (!config.webhooks.enabled) return;
    await bus.subscribe({
      queue: { kind: 'work', name: 'webhooks' },
      types: ['data.entity.changed.v1'],
      handle: webhooks.handle,
    });
  },
  close: () => webhooks.stop(),
});
