/**
 * Kinds of secrets as somebody who does not know the redactor lists them, each as it stands in a file, a command or a conversation.
 * They are written down before the redactor is measured by them.
 */
import type { SecretText } from "./corpus.js";
import { Draw, fillParts } from "./formats.js";

/** One kind a line, `name | text`: `«set length …»` is the secret, `‹set length …›` a harmless random part, `⏎` a line break. */
const KINDS = String.raw`
aws configure | AWS Access Key ID [None]: AK‹IA upper 16›⏎AWS Secret Access Key [None]: «base64 40»⏎Default region name [None]: eu-west-1
aws key pair on one line | keys of the build user: AK‹IA upper 16› «base64 40»
aws key pair in a table | Access key ID,Secret access key⏎AK‹IA upper 16›,«base64 40»
aws key pair on two lines | AK‹IA upper 16›⏎«base64 40»
aws session token | [default]⏎aws_session_token = «base64 180»
aws response | {"Credentials": {"AccessKeyId": "AS‹IA upper 16›", "SecretAccessKey": "«base64 40»"}}
boto3 | boto3.client("s3", aws_access_key_id="AK‹IA upper 16›", aws_secret_access_key="«base64 40»")
aws parameter | aws ssm put-parameter --name /shop/db --type SecureString --value «alnum 18»
aws secret | aws secretsmanager create-secret --name shop --secret-string «alnum 20»
google service account | {"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\n«base64 64»\n«base64 64»\n-----END PRIVATE KEY-----\n"}
google key id | {"type": "service_account", "private_key_id": "«hex 40»", "client_id": "1234"}
google hmac key | gsutil config: access GOOG1E‹upper 55› secret «base64 40»
google database user | gcloud sql users set-password app --instance=shop --password=«alnum 16»
google maps in an address | <script src="https://maps.googleapis.com/maps/api/js?key=AI«za word 35»"></script>
azure devops token | az devops login uses AZURE_DEVOPS_EXT_PAT=«base32 52»
azure devops token alone | git push fails, I used «base32 52» for dev.azure.com
azure devops new token | curl -u :«alnum 76 AZDO alnum 4» https://dev.azure.com/acme/_apis/projects
azure storage key | az storage blob list --account-name shop --account-key «base64 76 +ASt base64 6 ==»
azure openai key | client = AzureOpenAI(endpoint, "«alnum 52 JQQJ99 alnum 26»")
azure sql admin | az sql server create -n shop -u boss --admin-password «alnum 16»
cloudflare global key | curl -H "X-Auth-Email: a@example.com" -H "X-Auth-Key: «hex 37»" https://api.cloudflare.com
cloudflare token | export CLOUDFLARE_API_TOKEN=«word 40»
cloudflare tunnel | cloudflared service install «eyJ base64 120»
heroku key | HEROKU_API_KEY=«hex 8 - hex 4 - hex 4 - hex 4 - hex 12» heroku apps
hetzner token | hcloud context create shop⏎Token: «alnum 64»
scaleway key | scw config set secret-key=«hex 8 - hex 4 - hex 4 - hex 4 - hex 12»
ovh secret | application_key=‹alnum 16›⏎application_secret=«alnum 32»
alibaba secret | aliyun configure set --access-key-id LT‹AI alnum 20› --access-key-secret «alnum 30»
ibm key | ibmcloud login --apikey «word 44» -r eu-de
fastly key | curl -H "Fastly-Key: «alnum 32»" https://api.fastly.com/service
backblaze key | b2 account authorize ‹hex 25› «K005 base64 27»
vercel token | vercel deploy --prod --token «alnum 24»
fly token | export FLY_API_TOKEN="FlyV1 fm2«_ base64 160»"
linode token | linode-cli configure⏎Personal Access Token: «hex 64»
token as a user | git clone https://«hex 40»@git.example.com/acme/shop.git
gitlab header | curl --header "PRIVATE-TOKEN: «word 20»" https://gitlab.example.com/api/v4/projects
gitea token | curl -H "Authorization: token «hex 40»" https://git.example.com/api/v1/user
github cli | gh auth login --with-token <<< gh«p_ alnum 36»
git extra header | git config http.extraheader "AUTHORIZATION: basic «base64 60»"
bitbucket | git remote set-url origin https://dev:AT«BB alnum 32»@bitbucket.org/acme/shop.git
npm auth | //registry.example.com/:_auth=«base64 40»
npm password | //registry.example.com/:_password="«base64 28»"
yarn token | npmAuthToken: "«hex 8 - hex 4 - hex 4 - hex 4 - hex 12»"
pypirc | [pypi]⏎username = deploy⏎password = «alnum 18»
twine | twine upload -u deploy -p «alnum 18» dist/*
poetry | poetry config pypi-token.shop «alnum 40»
cargo login | cargo login «cio alnum 32»
cargo token alone | your crates.io token is «cio alnum 32»
cargo credentials | [registry]⏎token = "«alnum 32»"
gem credentials | :rubygems_api_key: «hex 48»
nuget push | dotnet nuget push shop.nupkg -k «oy2 lower 43» -s nuget.org
nuget config | <add key="ClearTextPassword" value="«alnum 16»" />
maven | <server><id>shop</id><username>ci</username><password>«alnum 16»</password></server>
gradle | sonatypePassword=«alnum 16»
composer | composer config http-basic.repo.example.com deploy «alnum 32»
composer auth | {"github-oauth": {"github.com": "«hex 40»"}}
docker login | echo «alnum 20» | docker login -u ci --password-stdin
docker swarm | docker swarm join --token SWMTKN-1-«lower 50 - lower 25» 10.0.0.5:2377
kubeadm | kubeadm join 10.0.0.5:6443 --token «lower 6 . lower 16»
kubernetes secret | kind: Secret⏎data:⏎  password: «base64 24»
kubectl literal | kubectl create secret generic db --from-literal=password=«alnum 16»
helm | helm install db bitnami/postgresql --set auth.postgresPassword=«alnum 16»
twilio | TWILIO_AUTH_TOKEN=«hex 32»
mailgun | curl -s --user 'api:«hex 32 - hex 8 - hex 8»' https://api.mailgun.net/v3/domains
mailchimp | mailchimp.setConfig({ apiKey: "«hex 32 -us12»", server: "us12" });
datadog | curl -H "DD-API-KEY: «hex 32»" https://api.datadoghq.eu/api/v1/validate
newrelic | license_key: «hex 36 NRAL»
sentry | sentry_sdk.init("https://«hex 32»@o12345.ingest.sentry.io/678")
pagerduty | curl -H "Authorization: Token token=«word 20»" https://api.pagerduty.com/incidents
opsgenie | curl -H "Authorization: GenieKey «hex 8 - hex 4 - hex 4 - hex 4 - hex 12»" https://api.opsgenie.com
algolia | algoliasearch("APPID", { adminApiKey: "«hex 32»" })
jira | curl -u ara@example.com:AT«ATT3 alnum 160» https://acme.atlassian.net/rest/api/3/myself
trello | https://api.trello.com/1/members/me/boards?key=‹hex 32›&token=«hex 64»
twitch | irc.login("bot", "oauth:«lower 30»")
plaid | {"client_id": "‹hex 24›", "secret": "«hex 30»", "institution_id": "ins_1"}
mapbox | mapboxgl.accessToken = "sk.«eyJ base64 40 . word 22»";
elevenlabs | curl -H "xi-api-key: sk_«hex 48»" https://api.elevenlabs.io/v1/voices
okta | curl -H "Authorization: SSWS «00 word 40»" https://acme.okta.com/api/v1/users
firebase | Authorization: key=«AAAA word 7 :APA91b word 134»
launchdarkly | LAUNCHDARKLY_SDK_KEY=sdk-«hex 8 - hex 4 - hex 4 - hex 4 - hex 12»
vault unseal | Unseal Key 1: «base64 44»
vault put | vault kv put secret/shop db_password=«alnum 16»
consul | CONSUL_HTTP_TOKEN=«hex 8 - hex 4 - hex 4 - hex 4 - hex 12» consul members
ngrok | ngrok config add-authtoken «alnum 49»
wireguard | [Interface]⏎PrivateKey = «base64 43 =»⏎Address = 10.0.0.2/24
age key | # created: 2026-01-01⏎AGE-SECRET-KEY-1«upper 58»
ssh key | -----BEGIN OPENSSH PRIVATE KEY-----⏎«base64 70»⏎«base64 70»⏎-----END OPENSSH PRIVATE KEY-----
pgp key | -----BEGIN PGP PRIVATE KEY BLOCK-----⏎⏎«base64 64»⏎«base64 64»⏎-----END PGP PRIVATE KEY BLOCK-----
escaped key in the environment | JWT_PRIVATE_KEY="-----BEGIN RSA PRIVATE KEY-----\n«base64 64»\n«base64 64»\n-----END RSA PRIVATE KEY-----"
ansible become | web1 ansible_host=10.0.0.7 ansible_become_pass=«alnum 14»
ansible become long | ansible-playbook site.yml -e "ansible_become_password=«alnum 14»"
ansible group | ansible_ssh_pass: «alnum 14»⏎ansible_user: deploy
rails secret | production:⏎  secret_key_base: «hex 128»
rails master key | RAILS_MASTER_KEY=«hex 32» bin/rails s
django | SECRET_KEY = 'django-insecure-«alnum 50»'
django plain | SECRET_KEY = '«symbols 50»'
flask | app.secret_key = b"«alnum 24»"
laravel | APP_KEY=base64:«base64 43 =»
wordpress | define( 'DB_PASSWORD', '«alnum 16»' );
wordpress salt | define('AUTH_KEY', '«alnum 64»');
jdbc | jdbc:postgresql://db.example.com/shop?user=app&password=«alnum 16»
oracle | sqlplus scott/«alnum 12»@//db.example.com:1521/XE
pgpass | db.example.com:5432:shop:app:«alnum 16»
my.cnf | [client]⏎user=root⏎password="«alnum 16»"
sqlcmd | sqlcmd -S db.example.com -U sa -P «alnum 16» -Q "select 1"
mssql login | ALTER LOGIN sa WITH PASSWORD = N'«alnum 16»';
set password | SET PASSWORD FOR 'app'@'%' = PASSWORD('«alnum 16»');
mysqladmin | mysqladmin -u root password '«alnum 16»'
libpq | psql "host=db user=app password=«alnum 16» dbname=shop"
mongo shell | mongosh --host db -u root -p «alnum 16» --authenticationDatabase admin
redis auth | redis> AUTH «alnum 20»
redis config | requirepass «alnum 24»
amqp | CELERY_BROKER_URL=amqp://shop:«alnum 16»@mq.example.com:5672//
kafka | sasl.jaas.config=PlainLoginModule required username="a" password="«alnum 16»";
influx | influx query -t «base64 86 ==» 'buckets()'
keystore | keytool -genkey -keystore k.jks -storepass «alnum 14» -alias a
gpg | gpg --batch --passphrase «alnum 14» -d a.gpg
putty | putty -ssh deploy@host -pw «alnum 14»
plink | plink.exe -batch -pw «alnum 14» deploy@host uptime
cifs | mount -t cifs //srv/share /mnt -o username=ara,password=«alnum 14»
net use | net use Z: \\srv\share «alnum 14» /user:ara
freerdp | xfreerdp /v:host /u:ara /p:«alnum 14»
wget | wget --user=ara --http-password=«alnum 14» https://files.example.com/a.zip
lftp | lftp -u ara,«alnum 14» ftp.example.com
proxy | export https_proxy=http://ara:«alnum 14»@proxy.example.com:3128
sudo | echo «alnum 14» | sudo -S apt update
chpasswd | chpasswd <<< "ara:«alnum 14»"
net user | net user ara «alnum 14» /add
powershell | $p = ConvertTo-SecureString "«alnum 14»" -AsPlainText -Force
wifi | nmcli dev wifi connect Home password «alnum 14»
wpa | network={⏎  ssid="Home"⏎  psk="«alnum 20»"⏎}
snmp | snmpget -v3 -u ara -l authPriv -a SHA -A «alnum 14» -x AES -X zzz host
ipmi | ipmitool -H host -U admin -P «alnum 14» power on
mqtt | mosquitto_pub -h mq -u ara -P «alnum 14» -t a -m b
github secret | gh secret set DEPLOY --body «alnum 24»
heroku config | heroku config:set STRIPE_SECRET=«alnum 24»
netrc | machine api.example.com login deploy@example.com password «alnum 18»
netrc lines | machine api.example.com⏎login deploy⏎password «alnum 18»
otpauth | otpauth://totp/Example:ara@example.com?secret=«upper 32»&issuer=Example
totp secret | Can't scan it? Use this setup key: «upper 32»
mnemonic | Your recovery phrase: «words 12»
mnemonic 24 | MNEMONIC="«words 24»"
mnemonic words | seed words: «words 12»
ethereum key | PRIVATE_KEY=0x«hex 64» npx hardhat run deploy.js
bitcoin key | bitcoin-cli importprivkey «5K base58 49»
extended key | xprv«base58 107»
nostr | nsec1«lower 58»
restic | export RESTIC_PASSWORD=«alnum 16»
borg | BORG_PASSPHRASE='«alnum 16»' borg list
session cookie | curl -b "sessionid=«lower 32»" https://shop.example.com/admin
set-cookie | Set-Cookie: session_token=«alnum 40»; HttpOnly; Secure
csharp | var conn = "Data Source=db;Initial Catalog=shop;User=sa;Password=«alnum 16»;";
java | props.setProperty("mail.smtp.password", "«alnum 16»");
go | os.Setenv("STRIPE_SECRET_KEY", "«alnum 24»")
ruby | config.secret_access_key = "«base64 40»"
php | $mail->Password = '«alnum 16»';
toml | [database]⏎password = "«alnum 16»"
ini | smtp_pass = «alnum 16»
env short | DB_PASS=«alnum 12»
hashcat dump | password is «alnum 12», do not tell anybody
german | Passwort: «alnum 12»
german two | Kennwort für ara: «alnum 12»
french | Mot de passe : «alnum 12»
spanish | Contraseña: «alnum 12»
portuguese | Senha: «alnum 12»
italian | Parola d'ordine: «alnum 12»
dutch | Wachtwoord: «alnum 12»
russian | Пароль: «alnum 12»
polish | Hasło: «alnum 12»
turkish | Şifre: «alnum 12»
swedish | Lösenord: «alnum 12»
danish | Adgangskode: «alnum 12»
finnish | Salasana: «alnum 12»
czech | Heslo: «alnum 12»
hungarian | Jelszó: «alnum 12»
greek | Κωδικός: «alnum 12»
chinese | 密码：«alnum 12»
japanese | パスワード: «alnum 12»
korean | 비밀번호: «alnum 12»
vietnamese | Mật khẩu: «alnum 12»
indonesian | Kata sandi: «alnum 12»
arabic | كلمة المرور: «alnum 12»
ukrainian | пароль="«alnum 12»"
`
  .trim()
  .split("\n");

export function kindTexts(): SecretText[] {
  const draw = new Draw("kinds");
  return KINDS.map((line) => {
    const at = line.indexOf(" | ");
    const secrets: string[] = [];
    const text = line
      .slice(at + 3)
      .replaceAll("⏎", "\n")
      .replace(/([«‹])([^»›]*)[»›]/g, (_, mark: string, parts: string) => {
        const value = fillParts(draw, parts);
        if (mark === "«") secrets.push(value);
        return value;
      });
    return { name: line.slice(0, at), text, core: secrets.join("") };
  });
}
