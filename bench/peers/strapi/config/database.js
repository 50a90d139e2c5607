module.exports = ({ env }) => ({
  connection: {
    client: 'postgres',
    connection: { connectionString: env('PEER_DATABASE_URL'), schema: 'strapi' },
    pool: { min: 0, max: env.int('PEER_POOL_SIZE') },
  },
});
