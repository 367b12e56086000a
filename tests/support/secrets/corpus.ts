/** Texts with a secret in them, as commands and files of every day have it, and texts that only look so. */
import { Draw, formattedSecrets, type MadeSecret } from "./formats.js";

export interface SecretText {
  readonly name: string;
  readonly text: string;
  /** What nobody may read of it. */
  readonly core: string;
}

/** Around a token that is known by itself. */
const AROUND: readonly ((token: string) => string)[] = [
  (token) => `export SERVICE_KEY_1=${token} && npm run deploy -- --region eu-west-1`,
  (token) => `curl -sS -H "X-Service: ${token}" https://api.example.com/v1/items | jq .id`,
  (token) => `{"name": "build", "value": "${token}", "retries": 3}`,
  (token) => `./publish.sh ${token} --dry-run`,
];

/** Around a value that only its surroundings make a secret. */
const NAMED: readonly (readonly [string, (value: string) => string])[] = [
  ["environment", (value) => `DB_PASSWORD=${value} npm start`],
  ["export", (value) => `export AWS_SECRET_ACCESS_KEY=${value}`],
  ["quoted export", (value) => `export API_SECRET="${value}"`],
  ["JSON", (value) => `{"user": "app", "password": "${value}", "port": 5432}`],
  ["YAML", (value) => `database:\n  user: app\n  password: ${value}\n  port: 5432`],
  ["properties", (value) => `spring.datasource.password=${value}`],
  ["XML", (value) => `<server><password>${value}</password></server>`],
  ["connection string", (value) => `Server=db;Database=shop;User Id=sa;Pwd=${value};Encrypt=true`],
  ["storage account", (value) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${value}`],
  [
    "service bus",
    (value) => `Endpoint=sb://x.example.net/;SharedAccessKeyName=Root;SharedAccessKey=${value}`,
  ],
  ["curl --user", (value) => `curl --user deploy:${value} https://api.example.com/upload`],
  ["curl -u", (value) => `curl -fsS -u 'deploy:${value}' https://api.example.com/upload`],
  ["bearer header", (value) => `curl -H "Authorization: Bearer ${value}" https://api.example.com`],
  ["basic header", (value) => `curl -H 'Authorization: Basic ${value}' https://api.example.com`],
  ["key header", (value) => `curl -H "X-Api-Key: ${value}" https://api.example.com`],
  ["postgres address", (value) => `psql postgres://app:${value}@db.example.com:5432/shop`],
  ["redis address", (value) => `redis-cli -u redis://:${value}@cache.example.com:6379`],
  ["mongo address", (value) => `mongosh "mongodb+srv://app:${value}@cluster0.example.net/shop"`],
  ["git address", (value) => `git clone https://deploy:${value}@git.example.com/shop.git`],
  ["mysql -p", (value) => `mysql -h db -uapp -p${value} shop < dump.sql`],
  ["MYSQL_PWD", (value) => `MYSQL_PWD=${value} mysql -uapp shop`],
  ["PGPASSWORD", (value) => `PGPASSWORD=${value} pg_dump shop > shop.sql`],
  ["sshpass", (value) => `sshpass -p ${value} ssh deploy@host uptime`],
  ["redis-cli -a", (value) => `redis-cli -h cache -a ${value} flushall`],
  ["docker login", (value) => `docker login -u bot -p ${value} registry.example.com`],
  ["password flag", (value) => `createuser --password ${value} --login app`],
  ["token flag", (value) => `deploy --auth-token=${value} --env prod`],
  ["netrc", (value) => `machine api.example.com login deploy password ${value}`],
  ["docker auth", (value) => `{"auths":{"registry.example.com":{"auth":"${value}"}}}`],
  ["kube config", (value) => `users:\n- name: admin\n  user:\n    client-key-data: ${value}`],
  ["npmrc", (value) => `//registry.example.com/:_authToken=${value}`],
  ["SQL", (value) => `ALTER USER app WITH PASSWORD '${value}';`],
  ["MySQL grant", (value) => `CREATE USER 'app'@'%' IDENTIFIED BY '${value}';`],
  ["openssl", (value) => `openssl enc -aes-256-cbc -pass pass:${value} -in a -out b`],
  ["signed address", (value) => `azcopy copy "https://x.blob.example.net/c?sv=2022&sig=${value}" .`],
  ["aws configure", (value) => `aws configure set aws_secret_access_key ${value}`],
  ["Python", (value) => `client = Client(api_key="${value}", timeout=30)`],
  ["TypeScript", (value) => `const options = { clientSecret: "${value}", retries: 2 };`],
  ["Terraform", (value) => `  private_key = "${value}"`],
  ["a service's key in JSON", (value) => `{"mailer_key": "${value}", "mailer_region": "eu"}`],
  ["a service's key in code", (value) => `const mailerKey = "${value}";`],
  ["a Makefile's default", (value) => `MAILER_TOKEN ?= ${value}`],
  ["curl over two lines", (value) => `curl -X POST https://api.example.com \\\n  -u deploy:${value}`],
  ["header without a scheme", (value) => `curl -H 'Authorization: ${value}' https://api.example.com`],
  ["prompt", (value) => `Enter your API key: ${value}`],
];

/** Drawn anew for every text. */
const VALUES: readonly (readonly [string, (draw: Draw) => string])[] = [
  ["base64", (draw) => draw.of("base64", 38) + "7k"],
  ["letters and digits", (draw) => draw.of("alnum", 20) + "4"],
  ["hex", (draw) => draw.of("hex", 32)],
];

export function secretTexts(): SecretText[] {
  const draw = new Draw("secrets");
  const formatted = formattedSecrets(draw).flatMap((secret) =>
    AROUND.map((around) => placed(secret, around)),
  );
  const named = NAMED.flatMap(([name, around]) =>
    VALUES.map(([kind, make]) => {
      const core = make(draw);
      return { name: `${name}, ${kind}`, text: around(core), core };
    }),
  );
  return [...formatted, ...named, ...keyBlocks(draw), ...others(draw)];
}

function placed({ name, lead, core }: MadeSecret, around: (token: string) => string): SecretText {
  return { name, text: around(lead + core), core };
}

function keyBlocks(draw: Draw): SecretText[] {
  return ["RSA ", "EC ", "OPENSSH ", ""].map((kind) => {
    const lines = Array.from({ length: 8 }, () => draw.of("base64", 64));
    const core = lines.join("");
    const name = `${kind}PRIVATE` + " KEY";
    const text = [
      `cat > key.pem <<'EOF'`,
      `-----BEGIN ${name}-----`,
      ...lines,
      `-----END ${name}-----`,
      "EOF",
    ];
    return { name, text: text.join("\n"), core };
  });
}

function others(draw: Draw): SecretText[] {
  const phrase = draw.words(12);
  const slack = `T${draw.of("upper", 8)}/B${draw.of("upper", 8)}/${draw.of("alnum", 24)}`;
  const discord = draw.of("word", 68);
  const azure = `${draw.of("alnum", 3)}8Q~${draw.of("word", 34)}`;
  return [
    { name: "recovery phrase", text: `wallet restore --index 0 # mnemonic: "${phrase}"`, core: phrase },
    { name: "Slack webhook", text: `curl -d @m.json https://hooks.slack.com/services/${slack}`, core: slack },
    {
      name: "Discord webhook",
      text: `curl -d @m.json https://discord.com/api/webhooks/${draw.of("digits", 18)}/${discord}`,
      core: discord,
    },
    { name: "Azure client secret", text: `az login --service-principal -p ${azure}`, core: azure.slice(6) },
  ];
}

export const KEPT_FIXED: readonly string[] = `
curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user
curl -H "Authorization: Bearer \${TOKEN}" https://api.example.com
curl -H "Authorization: token $(gh auth token)" https://api.github.com
psql postgres://app:\${DB_PASSWORD}@db/shop
mysql -uroot -p"$MYSQL_ROOT_PASSWORD" shop
mysql -p shop
sshpass -p "$PASS" ssh host
sshpass -e ssh host
docker login -u bot --password-stdin registry.example.com
echo "$DOCKER_PASSWORD" | docker login -u bot --password-stdin
password: null
password: undefined
password: string
password: string | null;
password?: string;
"password": null,
"password": "string"
password: !!process.env.PASSWORD
const password = process.env.DB_PASSWORD;
const apiKey = process.env.API_KEY ?? "";
api_key = os.environ["API_KEY"]
api_key=os.getenv("API_KEY")
const secret = getSecret(name);
const token = await getToken();
let token = lexer.next();
token: Token;
private readonly token: string;
type CommaToken = CommaToken$1;
const clientSecret = isPublicClient ? undefined : readSecret();
token: refreshedAccessToken, expires: soon
(id)hf_requiredCharacteristicTypesForDisplayMetadata;
cache_key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b
"primary_key": "2f1b6c1e-8d44-4f5e-9a53-0c9b5a6f7d10"
const partitionKey = "tenant-2024-eu-west-1";
function login(user: string, password: string): Promise<void> {
if (password === "") return;
if (!token) throw new Error("missing token");
password = input("Password: ")
password = getpass.getpass()
secretName: my-app-tls
secretKeyRef:
valueFrom: { secretKeyRef: { name: db, key: password } }
kubectl get secret my-app-tls -o yaml
kubectl create secret generic db --from-literal=password=$DB_PASSWORD
max_tokens: 4096
"max_tokens": 1024,
total_tokens=15234
token_count: 8192
tokenizer: cl100k_base
token_type: bearer
"token_type": "Bearer"
Enter your password:
Password for bob:
Enter passphrase for key '/home/ara/.ssh/id_ed25519':
[sudo] password for ara:
Password must be at least 12 characters long
Password: must be at least 12 characters
The password is stored in the keychain
Forgot your password?
api key not found
error: invalid token
error: unexpected token: punctuation
SyntaxError: Unexpected token } in JSON at position 12
token expired, please log in again
private_key: /etc/ssl/private/server.key
private_key_path = "~/.ssh/id_ed25519"
ssl_certificate_key /etc/nginx/ssl/server.key;
--private-key ./deploy/key.pem
ssh -i ~/.ssh/id_rsa deploy@host
ssh-keygen -t ed25519 -f ~/.ssh/id_ed25519 -N ""
public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGhlbGxvIHdvcmxkIHRoaXMgaXMgYSBrZXkh ara@host
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
git log --oneline | head -5
git checkout feature/secret-santa-list
git commit -m "Add password reset form"
git push https://github.com/acme/shop.git main
git clone git@github.com:acme/shop.git
npm install @secretlint/core --save-dev
npm run test:auth -- --grep "token refresh"
npx playwright test tests/password-reset.spec.ts
src/auth/token-store.ts
src/secrets/find-secrets.ts
import { Token } from "./token.js";
export class PasswordField extends Field {
<input type="password" name="password" autocomplete="current-password">
<PasswordInput value={password} onChange={setPassword} />
<key>CFBundleIdentifier</key>
key: value
primary_key: id
foreign key: user_id
sort_key = created_at
api_key_id: 42
API_KEY=<your-api-key>
API_KEY=your-api-key-here
API_KEY=changeme-in-production
PASSWORD=********
password: "***"
password: xxxxxxxx
password: [hidden]
token: <redacted>
OPENAI_API_KEY=sk-your-key
sk-learn-pipeline-with-many-steps
task-sk-runner-builder
export PATH=$PATH:/usr/local/bin
export AUTH_URL=https://auth.example.com/login
AUTH_PROVIDER=github
auth: required
auth:
oauth2_scopes: read write
cookie: false
cookies: enabled
sessionKey: string
docker run -e PASSWORD -e TOKEN app
docker run -e DB_PASSWORD=$DB_PASSWORD app
vault kv get -field=password secret/shop/db
vault login -method=oidc
op read "op://vault/item/password"
password: op://vault/item/password
password: \${{ secrets.DB_PASSWORD }}
token: \${{ secrets.GITHUB_TOKEN }}
password: "{{ db_password }}"
password: {{ .Values.db.password }}
password: !vault |
password = var.db_password
password = module.db.password
password = data.vault_secret.db.password
password = random_password.db.result
password = config.get("db.password")
password = props.password
password: req.body.password
password: user.password
password == other.password
assert token == expected_token
secret = hmac.new(key, body, sha256)
passwords.txt
password_hash
password_file: /run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/db_password
--password-file ./secret.txt
--token-file /var/run/token
--secret-id my-secret
aws secretsmanager get-secret-value --secret-id prod/db
gcloud secrets versions access latest --secret=db-password
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
http://localhost:3000/@vite/client
http://localhost:8080/login?next=/home
https://example.com/a:b
https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz
redis://localhost:6379/0
postgres://localhost:5432/shop
ssh://git@host:22/repo.git
docker pull ghcr.io/acme/shop@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
echo e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 file | sha256sum -c
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
curl -u "$USER:$PASS" https://api.example.com
curl -u deploy https://api.example.com
curl --user-agent "Mozilla/5.0" https://example.com
mkdir -p dist && cp -p a b
tar -xzpf a.tar.gz
ps -p 1234 -o pid,cmd
unzip -p archive.zip file.txt
zip -r out.zip dir
pin: left
PINs: 2
spin: 1234
pip install pin==1234
pass: 12, fail: 3
PASS src/store/outbox.test.ts (5.2 s)
--- PASS: TestTokenRefresh2Retries (0.01s)
docker run -u 1000:1000 -p 8080:80/tcp app
sudo -u app mkdir -p build2/cache
dotnet build /p:Version=1.2.3 /p:Configuration=Release
the password is required
the token is invalid
fields = ["password", "username", "email2"]
const secret = readSecret("db-password");
getpass("Password: ")
expect(screen.getByLabelText("Password")).toBeVisible();
main.c:12:5: warning: unused variable 'token'
app.py:12:error:E501:line too long
npm login --registry=https://registry.example.com
gh auth login --hostname github.example.com
az login --tenant 1b2c3d4e-0000-4000-8000-123456789abc
kubectl config use-context arn:aws:eks:eu-west-1:123456789012:cluster/prod
git config credential.helper store
git push -u origin feature/token-4711
import { auth } from "./auth2Client.js";
Passwort: muss geändert werden
Passwort vergessen?
"passwort": null
Mot de passe : $MOT_DE_PASSE
contraseña: process.env.CLAVE
La parola chiave è importante
пароль должен быть длиннее
sha256 = "0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73";
ssh://deploy-user-of-the-shop@git.example.com/shop.git
curl https://api.example.com/v1/tokens/count?page=2
AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set
aws s3 cp s3://bucket/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 .
mysqldump -u app -P 3306 shop
psql -U app -p 5432 -h db
echo hello | docker build -
`
  .trim()
  .split("\n");

export function keptTexts(): string[] {
  const draw = new Draw("look-alikes");
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => draw.of("hex", length)).join("-");
  const made: readonly (() => string)[] = [
    () => `git revert ${draw.of("hex", 40)}`,
    () => `git show ${draw.of("hex", 7)}:src/index.ts`,
    () => `rm -rf /srv/data/${uuid()}`,
    () => `"id": "${uuid()}"`,
    () => `<img src="data:image/png;base64,iVBORw0KGgo${draw.of("base64", 160)}=">`,
    () => `"integrity": "sha512-${draw.of("base64", 86)}=="`,
    () => `"resolved": "https://registry.npmjs.org/p${draw.below(99)}/-/p-1.${draw.below(30)}.0.tgz",`,
    () => `dist/assets/index-${draw.of("alnum", 8)}.js`,
    () => `cp /home/ara/.cache/${draw.of("hex", 32)}/blob ./out`,
    () => `sha256:${draw.of("hex", 64)}`,
    () => `trace_id=${draw.of("hex", 32)} span_id=${draw.of("hex", 16)}`,
    () => `docker rm ${draw.of("hex", 12)}`,
    () => `kubectl logs shop-${draw.of("hex", 10)}-${draw.of("lower", 5)}`,
    () => `s3://bucket-${draw.below(999)}/${draw.of("hex", 24)}/part-0001.parquet`,
  ];
  return [
    ...KEPT_FIXED,
    ...Array.from({ length: 154 }, (_, at) => (made[at % made.length] ?? made[0])?.() ?? ""),
  ];
}
