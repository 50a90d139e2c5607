import type { FeatureFactory } from '../feature.ts';

/** The deliveries of webhooks; the engine has their listeners. */
export const webhooksFeature: FeatureFactory = ({ config, webhooks }) => ({
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
