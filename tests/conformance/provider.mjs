// An OpenID provider for tests: `node provider.mjs PACKAGES PORT SETTINGS`, on loopback. Anybody signs in with any password.
// SETTINGS is a JSON file that is read anew for each token: {"resources": {URL: AUDIENCE}, "groups": {PERSON: [GROUP]}, "seconds": 31}.
// SIGHUP has it sign with a new key from then on; the old one stays published.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [packages, port, file] = process.argv.slice(2);
const library = (path) => import(pathToFileURL(`${packages}/oidc-provider/lib/${path}`));
const { default: Provider, errors } = await library("index.js");
// One memory for the providers before and after a change of keys.
const adapter = (await library("adapters/memory_adapter.js")).createMemoryAdapter(0);
const issuer = `http://127.0.0.1:${port}`;
const settings = () => JSON.parse(readFileSync(file));

function newKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
}

const keys = [newKey()];
const secret = randomUUID();

function provider() {
  return new Provider(issuer, {
    adapter,
    jwks: { keys },
    cookies: { keys: [secret] },
    clients: [
      {
        client_id: "webrag-desktop",
        application_type: "native",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: ["http://127.0.0.1/callback"],
      },
    ],
    scopes: ["openid", "offline_access", "library:read", "library:write"],
    claims: { openid: ["sub", "name"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
    extraTokenClaims: (_, token) => ({ name: token.accountId, groups: settings().groups[token.accountId] ?? [] }),
    rotateRefreshToken: true,
    ttl: { Grant: 3600, Session: 3600, Interaction: 600, IdToken: 600, RefreshToken: 3600, AuthorizationCode: 60 },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          const { resources, seconds } = settings();
          if (!(resource in resources)) throw new errors.InvalidTarget();
          return {
            scope: "library:read library:write",
            audience: resources[resource],
            accessTokenFormat: "jwt",
            accessTokenTTL: seconds,
            jwt: { sign: { alg: "RS256" } },
          };
        },
      },
    },
  });
}

let answer = provider().callback();
process.on("SIGHUP", () => {
  keys.unshift(newKey());
  answer = provider().callback();
  console.log("another key");
});
createServer((request, response) => answer(request, response)).listen(Number(port), "127.0.0.1", () => console.log("listening"));
