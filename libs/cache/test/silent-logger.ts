import { createLogger } from '@lintel/telemetry';

export const silentLogger = createLogger({ service: 'test', level: 'silent' });
