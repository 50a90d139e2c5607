import { as, demo, query, type Response, unique } from '../api.ts';

export const path = '/entities/sales_Customer';
export const dynamicOf = (instance: object): object =>
  Object.fromEntries(Object.entries(instance).filter(([name]) => name.startsWith('+')));

export async function createCustomer(values: object, user = 'admin'): Promise<Response> {
  const response = await as(user, 'POST', path, { body: { name: unique('dyn'), ...values } });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response;
}

export async function read(id: string, parameters: object = {}, user = 'admin') {
  const response = await as(user, 'GET', `${path}/${id}${query({ dynamicAttributes: 'true', ...parameters })}`);
  expect(response.status).toBe(200);
  return response.json();
}

export const favourite = { _entityName: 'sales_Product', _instanceName: expect.any(String), id: demo.product(3) };
export const ALL = {
  '+loyaltyNumber': 'L-1',
  '+loyaltyPoints': 7,
  '+vip': true,
  '+favourite': { id: demo.product(3) },
};
export const SHOWN = { ...ALL, '+favourite': favourite };
