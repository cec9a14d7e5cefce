package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

// family is a kind of secret, with the form in which its issuer makes it. What
// is drawn from a form is fresh and opens nothing.
type family struct {
	name  string
	fixed bool   // its beginning, or a mark inside of it, gives it away anywhere
	form  string // a pattern of the secret
	names string // what configuration calls it, words separated by spaces; alternatives by |
}

// fixed are the secrets that need no name beside them.
func fixed() []family {
	var all []family
	for _, f := range strings.Split(strings.TrimSpace(`
1password secret key	A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
1password service account	ops_eyJ[a-zA-Z0-9+/]{250,280}={0,2}
adobe client secret	p8e-[a-z0-9]{32}
age	AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}
airtable personal	pat[a-zA-Z0-9]{14}\.[a-f0-9]{64}
alibaba id	LTAI[a-zA-Z0-9]{20}
anthropic admin	sk-ant-admin01-[a-zA-Z0-9_\-]{93}AA
anthropic	sk-ant-api03-[a-zA-Z0-9_\-]{93}AA
artifactory	AKCp[A-Za-z0-9]{69}
artifactory reference	cmVmd[A-Za-z0-9]{59}
atlassian	ATATT3[A-Za-z0-9_\-=]{186}
authress	(sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,60}
aws id	(AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}
aws bedrock	ABSK[A-Za-z0-9+/]{109,140}={0,2}
aws bedrock short	bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9]{40}
azure client secret	[a-zA-Z0-9_~.]{3}[0-9]Q~[a-zA-Z0-9_~.-]{30,33}[a-zA-Z0-9]
clickhouse	4b1d[A-Za-z0-9]{38}
clojars	CLOJARS_[a-z0-9]{60}
cloudflare origin	v1\.0-[a-f0-9]{24}-[a-f0-9]{146}
databricks	dapi[a-f0-9]{32}(-[0-9])?
defined networking	dnkey-[A-Z0-9]{26}-[A-Z2-7]{52}
digitalocean	do[opr]_v1_[a-f0-9]{64}
docker	dckr_(pat|oat)_[A-Za-z0-9_-]{27}
doppler	dp\.(pt|st|ct)\.[a-zA-Z0-9]{43}
dropbox short-lived	sl\.[A-Za-z0-9_-]{135}
duffel	duffel_(test|live)_[a-z0-9_\-=]{43}
dynatrace	dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}
easypost	EZ[AT]K[a-zA-Z0-9]{54}
facebook	EAA[MC][a-zA-Z0-9]{100,140}
flutterwave	FLWSECK_TEST-[a-h0-9]{32}-X
flutterwave encryption	FLWSECK_TEST[a-h0-9]{12}
fly machine	fm2_[a-zA-Z0-9+/]{100,140}={0,3}
fly	fo1_[a-zA-Z0-9_-]{43}
frame.io	fio-u-[a-zA-Z0-9\-_=]{64}
google	AIza[a-zA-Z0-9_-]{35}
google client secret	GOCSPX-[a-zA-Z0-9_-]{28}
google access	ya29\.[a-zA-Z0-9_-]{60,120}
github	gh[pousr]_[0-9a-zA-Z]{36}
github fine-grained	github_pat_[a-zA-Z0-9]{22}_[a-zA-Z0-9]{59}
gitlab	glpat-[0-9a-zA-Z_-]{20}
gitlab routable	glpat-[0-9a-zA-Z_-]{27,60}\.[0-9a-z]{9}
gitlab job	glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20}
gitlab deploy	gldt-[0-9a-zA-Z_-]{20}
gitlab feature flags	glffct-[0-9a-zA-Z_-]{20}
gitlab feed	glft-[0-9a-zA-Z_-]{20}
gitlab mail	glimt-[0-9a-zA-Z_-]{25}
gitlab agent	glagent-[0-9a-zA-Z_-]{50}
gitlab oauth	gloas-[0-9a-zA-Z_-]{64}
gitlab trigger	glptt-[0-9a-f]{40}
gitlab runner registration	GR1348941[0-9a-zA-Z_-]{20}
gitlab runner	glrt-[0-9a-zA-Z_-]{20}
gitlab runner routable	glrt-t[0-9]_[0-9a-zA-Z_-]{27,60}\.[0-9a-z]{9}
gitlab scim	glsoat-[0-9a-zA-Z_-]{20}
gitlab cookie	_gitlab_session=[0-9a-z]{32}
grafana key	eyJrIjoi[A-Za-z0-9]{70,120}={0,2}
grafana cloud	glc_[A-Za-z0-9+/]{32,120}={0,2}
grafana service account	glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}
groq	gsk_[A-Za-z0-9]{52}
harness	(pat|sat)\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}
hashicorp terraform	[a-zA-Z0-9]{14}\.atlasv1\.[a-zA-Z0-9_-]{60,67}
heroku	HRKU-AA[0-9a-zA-Z_-]{58}
hugging face	hf_[a-zA-Z]{34}
hugging face organisation	api_org_[a-zA-Z]{34}
infracost	ico-[a-zA-Z0-9]{32}
intra42	s-s4t2(ud|af)-[a-f0-9]{64}
linear	lin_api_[a-zA-Z0-9]{40}
mapbox	[ps]k\.[a-z0-9]{60}\.[a-z0-9]{22}
mailgun	key-[a-f0-9]{32}
maxmind	[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk
new relic user	NRAK-[A-Z0-9]{27}
new relic browser	NRJS-[a-f0-9]{19}
new relic insert	NRII-[a-zA-Z0-9-]{32}
notion	ntn_[0-9]{11}[A-Za-z0-9]{35}
npm	npm_[a-zA-Z0-9]{36}
octopus	API-[A-Z0-9]{26}
openai	sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}
openai project	sk-(proj|svcacct|admin)-[A-Za-z0-9_-]{58}T3BlbkFJ[A-Za-z0-9_-]{58}
openshift	sha256~[a-zA-Z0-9_-]{43}
perplexity	pplx-[a-zA-Z0-9]{48}
planetscale	pscale_(tkn|oauth|pw)_[a-zA-Z0-9_.=-]{32,64}
postman	PMAK-[a-f0-9]{24}-[a-f0-9]{34}
prefect	pnu_[a-zA-Z0-9]{36}
pulumi	pul-[a-f0-9]{40}
pypi	pypi-AgEIcHlwaS5vcmc[a-zA-Z0-9_-]{50,120}
readme	rdme_[a-z0-9]{70}
replicate	r8_[A-Za-z0-9]{37}
rubygems	rubygems_[a-f0-9]{48}
scalingo	tk-us-[a-zA-Z0-9_-]{48}
sendgrid	SG\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9_-]{43}
sendinblue	xkeysib-[a-f0-9]{64}-[a-zA-Z0-9]{16}
sentry user	sntryu_[a-f0-9]{64}
sentry organisation	sntrys_eyJpYXQiO[a-zA-Z0-9+/]{60,100}LCJyZWdpb25fdXJs[a-zA-Z0-9+/]{20,60}={0,2}_[a-zA-Z0-9+/]{43}
settlemint	sm_(aat|pat|sat)_[a-zA-Z0-9]{16}
shippo	shippo_(live|test)_[a-f0-9]{40}
shopify	shp(at|ca|pa|ss)_[a-fA-F0-9]{32}
slack app	xapp-[0-9]-[A-Z0-9]{9,12}-[0-9]{13}-[a-f0-9]{64}
slack bot	xoxb-[0-9]{10,13}-[0-9]{10,13}-[a-zA-Z0-9]{24}
slack old bot	xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26}
slack configuration	xoxe\.xox[bp]-[0-9]-[A-Z0-9]{163,166}
slack refresh	xoxe-[0-9]-[A-Z0-9]{146}
slack legacy	xox[os]-[0-9]{10,12}-[0-9]{10,12}-[0-9]{10,12}-[a-f0-9]{10,32}
slack workspace	xox[ar]-[0-9]-[0-9a-zA-Z]{18,48}
slack user	xox[pe](-[0-9]{10,13}){3}-[a-zA-Z0-9]{28,34}
slack hook	https://hooks\.slack\.com/(services|workflows|triggers)/T[A-Z0-9]{8,10}/B[A-Z0-9]{8,10}/[A-Za-z0-9]{24}
sonar	sq[upa]_[a-f0-9]{40}
sourcegraph	sgp_([a-f0-9]{16}|local)_[a-f0-9]{40}
square	(EAAA[a-zA-Z0-9_-]{60}|sq0atp-[a-zA-Z0-9_-]{22})
stripe	[sr]k_(test|live|prod)_[a-zA-Z0-9]{24,99}
stripe hook	whsec_[a-zA-Z0-9]{32}
supabase	sbp_[a-f0-9]{40}
tailscale	tskey-(auth|api|client)-[a-zA-Z0-9]{12,17}-[a-zA-Z0-9]{30,34}
teams hook	https://[a-z0-9]{6,12}\.webhook\.office\.com/webhookb2/[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}@[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}
discord hook	https://discord\.com/api/webhooks/[0-9]{18}/[a-zA-Z0-9_-]{68}
telegram	[0-9]{8,10}:AA[a-zA-Z0-9_-]{33}
twilio	SK[0-9a-f]{32}
typeform	tfp_[a-zA-Z0-9_-]{44,59}
vault batch	hvb\.[a-zA-Z0-9_-]{138,160}
vault	hvs\.[a-zA-Z0-9_-]{90,120}
vault old	s\.[a-zA-Z0-9]{24}
web token	eyJ[a-zA-Z0-9]{17,40}\.eyJ[a-zA-Z0-9_-]{17,80}\.[a-zA-Z0-9_-]{27,43}
xai	xai-[a-zA-Z0-9]{80}
yandex	t1\.[A-Z0-9a-z_-]{30,60}\.[A-Z0-9a-z_-]{86}
yandex key	AQVN[A-Za-z0-9_-]{35,38}
`), "\n") {
		cells := strings.Split(f, "\t")
		one := family{name: cells[0], fixed: true, form: cells[1], names: cells[0]}
		if len(cells) > 2 {
			one.names = cells[2]
		}
		all = append(all, one)
	}
	return all
}

// named are the secrets that only their name gives away.
func named() []family {
	var all []family
	for _, f := range strings.Split(strings.TrimSpace(`
[a-z0-9_-]{32}	adafruit api key|fastly api token|nytimes access token|discord client secret
[a-z0-9]{32}	algolia api key|asana client secret|bitbucket client secret|bittrex secret key|bittrex access key|codecov access token|droneci access token|flickr access token|privateai api token
[a-f0-9]{32}	facebook app secret|finicity api token|linear client secret|adobe client secret|datadog api key
b_[a-z0-9=_-]{44}	beamer api token
[a-z0-9]{17}	airtable api key
[a-z0-9]{30}	alibaba secret key|plaid secret key|twitch api token
[a-z0-9]{20}[a-f0-9]{4}	atlassian api token|confluence api token|jira token
[a-z0-9_-]{64}	bitbucket client secret|coinbase access token
[a-f0-9]{40}	meraki api key|sendbird access token|sourcegraph access token|travis token
[a-z0-9_-]{40}	cloudflare api key|gitter access token|launchdarkly access token
[a-f0-9]{37}	cloudflare global api key
[a-zA-Z0-9]{40}	cohere api token|CO api key|datadog access token|zendesk secret key
[a-z0-9]{16}	confluent access token|linkedin client secret
[a-z0-9]{64}	confluent secret key|freshbooks access token|jfrog identity token|sumo access key|new relic user key
[a-zA-Z0-9_-]{43}	contentful delivery api token
[a-f0-9]{64}	discord api token|sentry auth token|session secret|jwt secret|encryption key|django secret key
[a-z0-9]{15}	dropbox api token
[a-z0-9]{11}AAAAAAAAAA[a-z0-9_-]{43}	dropbox long lived api token
[a-z0-9]{24}	etsy access token|looker client secret
[0-9]{15,16}\|[0-9a-zA-Z_-]{27}	facebook access token
[a-z0-9]{20}	finicity client secret|finnhub access token
live_[a-zA-Z0-9_-]{40}	gocardless api token
[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}	heroku api key|kucoin secret key|snyk api token|squarespace access token|hubspot api key
[a-z0-9_-]{60}	intercom api key
[a-z0-9]{73}	jfrog api key|artifactory api key
[a-zA-Z0-9/+]{86}==	kraken api secret
[a-f0-9]{24}	kucoin access token
(live|test)_[a-f0-9]{35}	lob api key
[a-f0-9]{32}-us[0-9]{2}	mailchimp api key
pubkey-[a-f0-9]{32}	mailgun pub key
[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}	mailgun signing key
[a-z0-9]{26}	mattermost access token
[a-z0-9]{25}	messagebird api token|twitter api key
[a-zA-Z0-9_-]{40,46}	netlify access token
00[a-zA-Z0-9_-]{40}	okta access token
access-(sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}	plaid api token
[a-z0-9_-]{50}	rapidapi key|rapidapi access token
[a-z0-9]{45}	twitter access secret
[0-9]{15,20}-[a-zA-Z0-9]{30,40}	twitter access token
[a-z0-9]{50}	twitter api secret
A{22}[a-zA-Z0-9%]{80,100}	twitter bearer token
[a-z0-9]{22}	travis access token
YC[a-zA-Z0-9_-]{38}	yandex secret key
sk_[a-zA-Z0-9!#%^*]{29}	freemius secret key
[a-f0-9]{8}:[a-f0-9]{8}	bundle enterprise contribsys key
[A-Za-z0-9/+]{40}	aws secret access key|secret access key
[A-Za-z0-9/+]{86}==	azure storage key|account key|service bus shared access key
[A-Za-z0-9+/]{43}=	webpush private key|wireguard private key|cookie secret
[a-z]{5,8}-[a-z]{5,8}-[0-9]{2,4}	db password|smtp password|admin password
[A-Z][a-z]{4,7}[0-9]{2,4}[!#%*?]	mysql root password|password|ldap bind password|keystore password
[a-zA-Z0-9!#%^*_+~?-]{12,20}[a-zA-Z0-9]	postgres password|redis password|user passwd|ssh passphrase|pgp passphrase
`), "\n") {
		form, names, _ := strings.Cut(f, "\t")
		for _, n := range strings.Split(names, "|") {
			all = append(all, family{name: n, form: form, names: n})
		}
	}
	return all
}

// armoured returns a private key of many lines, and the lines that are secret.
func armoured(r *rand.Rand) (text string, body []string) {
	title := pick(r, []string{"RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "DSA PRIVATE KEY"})
	raw := make([]byte, 300+r.IntN(1500))
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	b64 := base64.StdEncoding.EncodeToString(raw)
	for len(b64) > 64 {
		body, b64 = append(body, b64[:64]), b64[64:]
	}
	body = append(body, b64)
	return "-----BEGIN " + title + "-----\n" + strings.Join(body, "\n") + "\n-----END " + title + "-----\n", body
}
