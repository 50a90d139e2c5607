module.exports = ({ env }) => ({
  host: '127.0.0.1',
  port: env.int('PEER_PORT'),
  app: { keys: [env('PEER_SECRET')] },
});
