/** A service that reports on its standard output how it starts and stops; the parameter chooses an error of the start. */
import { listenerSettings, platformSettings } from '@lintel/config';
import { StartError } from '@lintel/errors';
import { runService } from '@lintel/service';

const resource = (name: string) => ({ close: () => console.log(`closed ${name}`) });

await runService({
  name: 'sample',
  settings: {
    platform: platformSettings,
    ...listenerSettings('sample', { public: 0, internal: 0, management: 0 }),
  },
  async start({ application, config, own }) {
    if (process.argv[2] === 'start-error') throw new StartError('The sample has no table');
    if (process.argv[2] === 'bug') throw new TypeError('The sample is wrong');
    own(resource('pool'));
    await own(Promise.resolve(resource('bus')));
    console.log(`started ${application.id} of ${config.platform.issuer}`);
    return {
      app: (_request, response) => void response.end('public'),
      internalApp: (_request, response) => void response.end('internal'),
      readiness: { sample: () => true },
      askServices: async () => ({ status: 'ready' }),
      close: async () => console.log('closed service'),
    };
  },
});
