const { writeFileSync } = require('node:fs');

const ACTIONS = ['find', 'findOne', 'create', 'update'].map((action) => `api::order.order.${action}`);

module.exports = {
  register() {},
  /** Makes the API token of the run, a custom one that may use orders alone, and writes it to a file. */
  async bootstrap({ strapi }) {
    const tokens = strapi.service('admin::api-token');
    const name = `bench ${Date.now()}`;
    const { accessKey } = await tokens.create({
      name,
      description: '',
      type: 'custom',
      lifespan: null,
      permissions: [...ACTIONS, 'api::customer.customer.find', 'api::product.product.find'],
    });
    writeFileSync(process.env.PEER_TOKEN_FILE, accessKey, { mode: 0o600 });
  },
};
