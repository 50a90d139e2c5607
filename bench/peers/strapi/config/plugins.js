module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: env('PEER_SECRET') } } });
