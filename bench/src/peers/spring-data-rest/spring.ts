import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Peer } from '../peer.ts';
import { partsOf } from '../peer-database.ts';
import { runTool } from '../run-tool.ts';
import { signToken } from '../sign-token.ts';

const SOURCES = ['pom.xml', 'src'];

/** https://docs.spring.io/spring-data/rest/reference, with Spring Boot's starters. */
export const springDataRest: Peer = {
  name: 'spring-data-rest',
  about: 'Spring Data REST (Spring Boot 3.5.7)',
  settings:
    'JPA with batch fetching, auditing, resource server with JWT, a scope for each repository, projections, access log; the lists of R2 and R3 count all rows, as its repositories do',
  needs: ['java', 'mvn'],
  async install(folder) {
    for (const name of SOURCES)
      cpSync(fileURLToPath(new URL(`../../../peers/spring-data-rest/${name}`, import.meta.url)), join(folder, name), {
        recursive: true,
      });
    runTool('mvn', ['-q', '-B', 'package'], { folder, log: join(folder, 'install.log') });
  },
  prepare: async () => {},
  command({ folder, databaseUrl, port, poolSize, secret }) {
    const { host, port: databasePort, user, password, database } = partsOf(databaseUrl);
    return {
      file: 'java',
      parameters: ['-jar', join(folder, 'target', 'peer.jar')],
      environment: {
        SERVER_PORT: String(port),
        SERVER_TOMCAT_BASEDIR: join(folder, 'tomcat'),
        SPRING_DATASOURCE_URL: `jdbc:postgresql://${host}:${databasePort}/${database}`,
        SPRING_DATASOURCE_USERNAME: user,
        SPRING_DATASOURCE_PASSWORD: password,
        SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE: String(poolSize),
        PEER_JWT_SECRET: secret,
      },
    };
  },
  open: ({ secret }) => signToken(secret, { sub: 'bench', scope: 'orders' }),
};
