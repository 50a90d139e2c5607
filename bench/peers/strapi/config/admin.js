module.exports = ({ env }) => ({
  auth: { secret: env('PEER_SECRET') },
  apiToken: { salt: env('PEER_SECRET') },
  transfer: { token: { salt: env('PEER_SECRET') } },
  secrets: { encryptionKey: env('PEER_SECRET') },
  serveAdminPanel: false,
});
