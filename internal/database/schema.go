package database

// schema is how the database came to be, step by step: the version of a database is the
// number of steps that it has taken. Steps are added at the end, and never changed.
var schema = []string{
	`create table tool_outcomes (
		id text primary key not null,
		session_id text not null,
		project_id text,
		tool_name text not null,
		outcome text not null check (outcome in ('success', 'failure', 'partial')),
		outcome_type text,
		message text,
		tool_input_hash text,
		input_summary text,
		output_summary text,
		duration_ms integer,
		preceding_tool_id text,
		analyzed integer not null default 0,
		created_at text not null default current_timestamp,
		tool_use_id text,
		agent_id text,
		problem text
	);
	create index tool_outcomes_session_idx on tool_outcomes(session_id, created_at, id);
	create index tool_outcomes_created_at_idx on tool_outcomes(created_at, id);
	create table error_log (
		id text primary key not null,
		session_id text not null,
		project_id text,
		tool_name text not null,
		error_type text,
		error_message text,
		error_signature text not null,
		tool_input_hash text,
		occurrence_count integer not null default 1,
		first_occurrence text not null,
		last_occurrence text not null,
		analyzed integer not null default 0,
		created_at text not null default current_timestamp
	);
	create unique index error_log_signature_idx on error_log(error_signature, session_id);
	create table session_tool_counter (
		session_id text primary key not null,
		tool_count integer not null default 0,
		last_analysis_count integer not null default 0,
		updated_at text not null default current_timestamp,
		claimed_from integer,
		claimed_until text,
		tries integer not null default 0
	);
	create table read_files (
		name text primary key not null,
		size integer not null,
		modified integer not null
	);
	create table done (
		what text primary key not null,
		at text not null
	);`,
	`alter table tool_outcomes add column recorded integer not null default 0;
	create index tool_outcomes_tool_use_idx on tool_outcomes(tool_use_id);`,
}
