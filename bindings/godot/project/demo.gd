# A soft ball wobbles and falls onto a knot, and the contacts are drawn: a point each, and a line along its normal.
# With PROXEL_PICTURE=FILE.png it draws into that file when it lies, and ends.
extends Node3D

const Shapes := preload("res://shapes.gd")
const STEPS := 120

var ball: ProxelBody
var rest: PackedVector3Array
var skin: MeshInstance3D
var pair := ProxelPair.new()
var marks := ImmediateMesh.new()
var knot: ProxelBody
var height := 1.9
var speed := 0.0
var step := 0
var picture := OS.get_environment("PROXEL_PICTURE")


func _ready() -> void:
	var light := DirectionalLight3D.new()
	light.rotation = Vector3(-0.9, -0.6, 0)
	light.shadow_enabled = true
	add_child(light)
	var camera := Camera3D.new()
	add_child(camera)
	camera.look_at_from_position(Vector3(1.1, 1.9, 2.1), Vector3(0, 0.15, 0))
	var sky := WorldEnvironment.new()
	sky.environment = Environment.new()
	sky.environment.background_mode = Environment.BG_COLOR
	sky.environment.background_color = Color(0.93, 0.94, 0.96)
	sky.environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	sky.environment.ambient_light_color = Color(0.6, 0.65, 0.75)
	add_child(sky)

	knot = solid(Shapes.knot(0.24), 96)
	show_mesh(knot.mesh, knot, Color(0.25, 0.45, 0.75), false)

	var arrays := Shapes.ball(0.55).surface_get_arrays(0)
	rest = arrays[Mesh.ARRAY_VERTEX]
	ball = solid(Shapes.array_mesh(rest, arrays[Mesh.ARRAY_NORMAL], arrays[Mesh.ARRAY_INDEX]), 0)
	skin = show_mesh(ball.mesh, ball, Color(0.95, 0.55, 0.25, 0.45), true)

	pair.a = knot
	pair.b = ball
	pair.automatic = false
	add_child(pair)
	var ink: StandardMaterial3D = show_mesh(marks, self, Color(0.8, 0.05, 0.15), false).material_override
	ink.shading_mode = BaseMaterial3D.SHADING_MODE_UNSHADED
	ink.no_depth_test = true
	ink.render_priority = 1
	print("on ", Proxel.device_name())


func solid(mesh: Mesh, cells: int) -> ProxelBody:
	var body := ProxelBody.new()
	body.mesh = mesh
	body.field_resolution = cells
	add_child(body)
	return body


func show_mesh(mesh: Mesh, under: Node3D, color: Color, clear: bool) -> MeshInstance3D:
	var instance := MeshInstance3D.new()
	instance.mesh = mesh
	var material := StandardMaterial3D.new()
	material.albedo_color = color
	material.roughness = 0.5
	if clear:
		material.transparency = BaseMaterial3D.TRANSPARENCY_ALPHA
	instance.material_override = material
	under.add_child(instance)
	return instance


# Wobbles, and is pushed back by the forces on what is inside of the knot.
func _physics_process(delta: float) -> void:
	step += 1
	var moved := PackedVector3Array()
	for vertex in rest:
		moved.append(vertex * (1 + 0.1 * sin(9 * vertex.x + 0.15 * step) * cos(7 * vertex.z)))
	ball.deform(moved)
	skin.mesh.surface_update_vertex_region(0, 0, moved.to_byte_array())
	ball.linear_velocity = Vector3(0, speed, 0)
	var push: Vector3 = Proxel.penalty(knot, ball, 1500, 120).force_b
	speed += (push.y - 3) * delta
	height += speed * delta
	ball.position = Vector3(0, height, 0)
	var count := pair.step()
	draw(pair.contacts())
	if step % 20 == 0:
		print("step %d: height %.3f, %d contacts" % [step, height, count])
	if picture != "" and step >= STEPS and count > 0:
		set_physics_process(false)
		save_picture(count)


func draw(found: Dictionary) -> void:
	marks.clear_surfaces()
	if found.count == 0:
		return
	marks.surface_begin(Mesh.PRIMITIVE_TRIANGLES)
	for i in found.count:
		stick(found.points_b[i], found.points_b[i] + 0.35 * found.normals[i], 0.012)
		stick(found.points_b[i] - 0.035 * found.normals[i], found.points_b[i] + 0.035 * found.normals[i], 0.04)
	marks.surface_end()


# A prism from one point to another.
func stick(from: Vector3, to: Vector3, radius: float) -> void:
	var along := (to - from).normalized()
	var side := along.cross(Vector3.UP if absf(along.y) < 0.9 else Vector3.RIGHT).normalized() * radius
	for i in 6:
		var one := side.rotated(along, TAU * i / 6)
		var other := side.rotated(along, TAU * (i + 1) / 6)
		for at in [from + one, to + one, from + other, from + other, to + one, to + other, to, to + other, to + one, from, from + one, from + other]:
			marks.surface_add_vertex(at)


func save_picture(count: int) -> void:
	for i in 3:
		await RenderingServer.frame_post_draw
	var image := get_viewport().get_texture().get_image()
	print("%d contacts, drawn by %s: %s" % [count, RenderingServer.get_video_adapter_name(), error_string(image.save_png(picture))])
	get_tree().quit()
