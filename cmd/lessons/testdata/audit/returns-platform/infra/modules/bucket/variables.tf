variable "prefix" {
  description = "Prefix of the environment"
  type        = string
}

variable "name" {
  description = "Name without the prefix"
  type        = string
}
