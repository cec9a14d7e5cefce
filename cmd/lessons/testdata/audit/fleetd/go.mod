module example.org/fleetd

go 1.24

require (
	connectrpc.com/connect v1.18.1
	github.com/go-chi/chi/v5 v5.2.1
	github.com/jackc/pgx/v5 v5.7.2
	google.golang.org/protobuf v1.36.5
)
