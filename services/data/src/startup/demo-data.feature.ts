import { loadDemoData } from '@lintel/entities';
import type { FeatureFactory } from '../feature.ts';

/** Loads the demo data of the application in demo mode, into an empty database. */
export const demoDataFeature: FeatureFactory = ({ ports, config, write }) => ({
  async start() {
    const { demoData, listeners = [] } = ports.application;
    if (!config.demoEnabled || demoData === undefined) return;
    const loaded = await loadDemoData(demoData, { ...write, listeners });
    if (loaded > 0) ports.logger.info({ instances: loaded }, 'demo data loaded');
  },
});
