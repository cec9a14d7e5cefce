package audit

import (
	"regexp"
	"sync"
)

// rivalry is a set of ways of which a repository has one: who says one and who says
// another contradict each other. Some are about the whole repository; others about what
// both statements speak of.
type rivalry struct {
	everywhere bool
	ways       []*regexp.Regexp
}

func rivals(everywhere bool, ways ...string) rivalry {
	r := rivalry{everywhere: everywhere}
	for _, w := range ways {
		r.ways = append(r.ways, regexp.MustCompile(`(?i)(?:^|[^\w@/-])(?:`+w+`)(?:$|[^\w/-])`))
	}
	return r
}

var rivalries = sync.OnceValue(func() []rivalry {
	return []rivalry{
		rivals(true, `npm(?: ci| install)?`, `pnpm`, `yarn`, `bun`),
		rivals(true, `pip`, `poetry`, `uv(?: run| sync| add)?`, `pipenv`, `conda`),
		rivals(true, `jest`, `vitest`, `mocha`), rivals(true, `pytest`, `unittest`, `nose`), rivals(true, `cypress`, `playwright`, `puppeteer`, `selenium`),
		rivals(true, `black`, `ruff format`, `yapf`), rivals(true, `prettier`, `biome`, `dprint`), rivals(true, `pandas`, `polars`),
		rivals(true, `moment(?:\.js)?`, `dayjs`, `date-fns`, `luxon`), rivals(true, `redux`, `zustand`, `mobx`, `recoil`), rivals(true, `prisma`, `drizzle`, `typeorm`, `sequelize`),
		rivals(true, `slog|log/slog`, `zap`, `zerolog`, `logrus`), rivals(true, `winston`, `pino`), rivals(true, `structlog`, `loguru`),
		rivals(true, `axios`, `fetch`), rivals(true, `requests`, `httpx`, `aiohttp`), rivals(true, `tailwind`, `styled-components`, `css modules`, `emotion`),
		rivals(true, `single quotes?`, `double quotes?`), rivals(true, `squash\w*`, `merge commits?`), rivals(true, `rebas(?:e|es|ed|ing)`, `merg(?:e|es|ed|ing) .?(?:main|master|develop|trunk).? in\w*`),
		rivals(true, `named exports?`, `default exports?`), rivals(true, `class components?`, `function(?:al)? components?`),
		rivals(false, `tabs?`, `(?:two |four |\d )?spaces`), rivals(false, `camelCase`, `snake_case`, `kebab-case`, `PascalCase`),
		rivals(false, `ints?|integers?|int64|whole`, `float\w*|doubles?|fractions?`, `decimals?`), rivals(false, `met(?:re|er)s?`, `kilomet(?:re|er)s?|km`, `miles?`, `feet`),
		rivals(false, `milliseconds?|ms`, `seconds?`, `minutes?`, `hours?`), rivals(false, `cents?`, `euros?|dollars?`), rivals(false, `UTC`, `local time`),
		rivals(false, `append(?:s|ed|ing)?`, `replac(?:e|es|ed|ing)|overwrit(?:e|es|ten|ing)|truncat(?:e|es|ed|ing)`, `upsert(?:s|ed)?`),
		rivals(false, `beside|next to|alongside|co-?located`, `separate (?:\S+ )?(?:folder|directory|tree)|__tests__`), rivals(false, `async/?await|.?await.?`, `callbacks?|.?\.then.?`),
		rivals(false, `exceptions?`, `result types?`), rivals(false, `REST`, `graphql`, `grpc`), rivals(false, `uuids?`, `ulids?`, `auto-?increment\w*|serial`), rivals(false, `interfaces?`, `type alias(?:es)?`),
		rivals(false, `postgres\w*`, `mysql`, `sqlite`, `mongodb`), rivals(false, `english`, `german|deutsch`, `spanish`, `french`), rivals(false, `upper ?case`, `lower ?case`),
		rivals(false, `imperative`, `past tense`), rivals(false, `singular`, `plural`), rivals(false, `sync(?:hronous)?`, `async(?:hronous)?`), rivals(false, `mutable`, `immutable`),
	}
})
